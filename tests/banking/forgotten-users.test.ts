import { expect, onTestFinished, test } from 'vitest';
import type { Person } from '../support/person.ts';
import { connectionIdOf } from './customer.ts';
import {
  app,
  nothing,
  readCustomer,
  setUpReadCustomers,
  shown,
  stored,
  whole,
} from './read-customers.ts';

setUpReadCustomers();

const forgetful = {
  code: 'Bank_Refused',
  message: expect.stringContaining('ne vous reconnaît plus'),
};

/** Reads the banks this much later; what the person is told, and what is stored then. */
async function readLater(person: Person, minutes: number) {
  app.clock.advance({ minutes });
  const { status, body } = await person.get('/bridge/items?fresh=1');
  return { status, body, left: await stored(person) };
}

test('a user whom the service forgot is erased by a reading an hour later that says so too', async () => {
  await readCustomer();
  const { person } = await readCustomer();
  app.bank.control.forgetUser(person.id);
  for (const minutes of [0, 30, 29]) {
    const read = await readLater(person, minutes);
    expect(read).toEqual({ status: 502, body: { ...read.body, ...forgetful }, left: whole });
    const { body } = await person.get('/bridge/items/connect');
    expect(body).toMatchObject(forgetful);
  }
  expect(await shown(person)).toBe(1);
  expect(await readLater(person, 1)).toEqual({ status: 200, body: [], left: nothing });
  expect((await person.get('/bridge/items/connect')).status).toBe(200);
  app.bank.control.link({ externalUserId: person.id });
  expect((await readLater(person, 1)).body).toHaveLength(1);
});

/** From now on the service answers as one that does not know `unknown`, and all others. */
async function forgetFor(unknown: Person): Promise<void> {
  const others = await app.services.database.sql
    .selectFrom('bank_links')
    .select(['provider_user_id as uuid', 'user_id as external_user_id'])
    .where('user_id', '<>', unknown.id)
    .execute();
  answerInPlace([
    ['/token', 404, userNotFound],
    ['GET /v3/aggregation/users', 200, { resources: others }],
  ]);
}

const userNotFound = { errors: [{ code: 'user.not_found', message: 'x' }] };

function answerInPlace(answers: [match: string, status: number, body: object][]): void {
  for (const [match, status, body] of answers) {
    app.bank.control.addFault({ match, kind: 'status', status, body });
  }
  app.bank.control.expireTokens();
  onTestFinished(() => app.bank.control.clearFaults());
}

test('a user whom the service knows again in between is not erased', async () => {
  const { person } = await readCustomer();
  const ends = [];
  for (const [isKnown, minutes] of [
    [false, 0],
    [true, 30],
    [false, 45],
    [false, 59],
  ] as const) {
    app.bank.control.clearFaults();
    if (!isKnown) await forgetFor(person);
    const { status, left } = await readLater(person, minutes);
    ends.push([status, left]);
  }
  expect(ends).toEqual([502, 200, 502, 502].map((status) => [status, whole]));
  expect(await readLater(person, 1)).toMatchObject({ status: 200, left: nothing });
});

test('nobody is erased while the service knows none of its users, as that of another application', async () => {
  const customers = [await readCustomer(), await readCustomer()];
  answerInPlace([
    ['/token', 404, userNotFound],
    ['GET /v3/aggregation/users', 200, { resources: [{ uuid: 'x', external_user_id: 'x' }] }],
    ['POST /v3/aggregation/users', 201, { uuid: 'of the other application' }],
  ]);
  for (const minutes of [0, 90, 24 * 60]) {
    for (const { person } of customers) {
      expect((await person.get('/bridge/items/connect')).body).toMatchObject(forgetful);
      expect(await readLater(person, minutes)).toMatchObject({ status: 502, left: whole });
    }
  }
  app.bank.control.clearFaults();
  for (const { person } of customers) {
    expect(await readLater(person, 0)).toMatchObject({ status: 200, body: [{}] });
  }
});

test('someone whom the service forgot removes the bank here, and begins again', async () => {
  const { person, itemId } = await readCustomer();
  const id = await connectionIdOf(app, itemId);
  app.bank.control.forgetUser(person.id);
  const edit = await person.get(`/bridge/items/edit/${id}`);
  expect([edit.status, edit.body]).toEqual([502, expect.objectContaining(forgetful)]);
  expect((await person.delete(`/bridge/items/${id}`)).status).toBe(204);
  expect(await stored(person)).toEqual(nothing);
  expect((await person.get('/bridge/items/connect')).status).toBe(200);
});
