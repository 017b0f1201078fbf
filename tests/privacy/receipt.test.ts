import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { findDeletion } from '../../src/server/privacy/deletion/queries.ts';
import { addCustomer } from '../banking/customer.ts';
import { type Fixture, openFixture } from '../identity/accounts/fixture.ts';
import { about, deletionsOf, doneSteps, leave } from './deletions.ts';

let app: Fixture;
beforeAll(async () => {
  app = await openFixture();
});
afterEach(() => app.bank.control.clearFaults());
afterAll(() => app.close());

const { once, whenDone, tryAgainAfter, tablesWith } = deletionsOf(() => app);

it('a deletion is told once the mail is taken, and after a week to nobody', async () => {
  const [ana, bob] = [await app.signUp(), await app.signUp()];
  const [hers, his] = [ana.details.email, bob.details.email];
  app.refusing.add(hers).add(his);
  await whenDone(await leave(ana));
  await whenDone(await leave(bob));
  app.refusing.delete(hers);
  await tryAgainAfter({ hours: 7 });
  await app.mailTo(hers, about);
  expect(await tablesWith(his)).toEqual(['public.deletions']);
  await tryAgainAfter({ days: 8 });
  await vi.waitFor(async () => expect(await tablesWith(his)).toEqual([]), { timeout: 15_000 });
  app.refusing.clear();
  expect(app.mails.filter(({ to, subject }) => to === his && subject.includes(about))).toEqual([]);
});

it('a deletion is told also where a service was waited for longer than a mail is tried', async () => {
  const { person } = await addCustomer(app);
  const { email } = person.details;
  app.bank.control.addFault({
    match: 'DELETE /v3/aggregation/users',
    kind: 'status',
    status: 503,
  });
  const receipt = await leave(person);
  await once(receipt, (deletion) => doneSteps(deletion).includes('chat'));
  app.refusing.add(email);
  app.clock.advance({ days: 8 });
  app.bank.control.clearFaults();
  await tryAgainAfter({ hours: 7 });
  await whenDone(receipt);
  app.refusing.delete(email);
  await tryAgainAfter({ hours: 7 });
  await app.mailTo(email, about);
});

it('a receipt says whether it is also mailed', async () => {
  const receipt = await leave(await app.signUp());
  expect((await whenDone(receipt)).canMail).toBe(false);
  const { database, configuration: without } = app.services;
  const mail = { smtpUrl: 'smtps://mail.example.org', from: 'tirelire@example.org' };
  for (const sent of [{ mail }, { demoUrl: 'http://127.0.0.1:3001' }]) {
    const configuration = { ...without, ...sent };
    expect((await findDeletion({ database, configuration }, receipt))?.canMail).toBe(true);
  }
});

it('a receipt that nobody was given says nothing', async () => {
  const unknown = await app.visitor.get(`/accounts/deletions/${'A'.repeat(43)}`);
  expect(unknown).toMatchObject({ status: 404, body: { code: 'Not_Found' } });
  expect((await app.visitor.get('/accounts/deletions/x')).status).toBe(400);
});

it('a receipt is dated by the 1er of a month', async () => {
  app.clock.set('2027-03-01T08:00:00Z');
  const ana = await app.signUp();
  await leave(ana);
  const { body } = await app.mailTo(ana.details.email, about);
  expect(body).toContain('a été demandée le 1er mars 2027 à 09:00.');
});
