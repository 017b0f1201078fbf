import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Application, startApplication } from '../support/application.ts';
import {
  addressOf,
  arbitraryOf,
  type JsonSchema,
  type Operation,
  operationsOf,
} from '../support/operations.ts';
import type { Answer, Client, Person } from '../support/person.ts';
import { addVictim, type Victim } from './victim.ts';

let app: Application;
let ana: Victim;
let basile: Person;
let operations: Operation[];
beforeAll(async () => {
  app = await startApplication();
  ana = await addVictim(app, 'T0FONTAINE');
  basile = (await addVictim(app, 'T0LENOIR')).person;
  operations = operationsOf((await app.visitor.get('/openapi.json')).body);
});
afterAll(() => app.close());

/** What anybody may call. A route that is added is for its owner alone, unless it is added here. */
const forEverybody = [
  'GET /api/accounts/deletions/{receipt}',
  'GET /api/bridge/callback',
  'GET /api/messengers/slack/callback',
  'POST /api/accounts/email/confirmation',
  'POST /api/accounts/login',
  'POST /api/accounts/password/forgotten',
  'POST /api/accounts/password/reset',
  'POST /api/bridge/webhooks',
  'POST /api/messengers/mailboxes/confirmation',
  'POST /api/messengers/mailboxes/refusal',
  'POST /api/messengers/mailboxes/resumption',
  'POST /api/messengers/slack/commands',
  'POST /api/messengers/slack/events',
  'POST /api/users',
];

const closed = () => operations.filter(({ needsSession }) => needsSession);
const nameOf = ({ method, path }: Operation) => `${method} ${path}`;

/** Asks with `id` wherever the call takes one: in its path, its query, or every text of its body. */
function ask(who: Client, operation: Operation, id: string): Promise<Answer> {
  const { method, parameters, body } = operation;
  const named = (where: string) =>
    parameters.filter((one) => one.in === where).map(({ name }): [string, string] => [name, id]);
  const [inPath, inQuery] = [named('path'), named('query')];
  const address = addressOf(operation, Object.fromEntries(inPath));
  const query = inQuery.length > 0 ? `?${new URLSearchParams(inQuery)}` : '';
  const content = body && (inPath.length > 0 ? change(body) : filled(body, id));
  const headers = { 'content-type': 'application/json' };
  const request = content ? { headers, body: JSON.stringify(content) } : {};
  return who.send(method, address + query, request);
}

/** What would be saved if the address let it in. */
function change(schema: JsonSchema): object {
  const needed = { ...schema, properties: pick(schema.properties ?? {}, schema.required ?? []) };
  return { ...sampleOf(needed), message: 'à moi' };
}

function filled(schema: JsonSchema, id: string): object {
  const texts = Object.entries(sampleOf(schema)).filter(([, value]) => typeof value === 'string');
  const named = Object.fromEntries(texts.map(([name]) => [name, id]));
  return { ...sampleOf(schema), ...named, slackBotToken: id };
}

function sampleOf(schema: JsonSchema): object {
  return Object(fc.sample(arbitraryOf(schema), { numRuns: 1, seed: 1 })[0]);
}

function pick<Value>(all: Record<string, Value>, names: string[]): Record<string, Value> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
}

/** What is not there is deleted already: a bank that was never one's own, too. */
function notFound({ method, path, parameters }: Operation): number[] {
  if (!parameters.some((one) => one.in === 'path')) return everyAnswer;
  return path === '/api/bridge/items/{id}' && method === 'DELETE' ? [400, 404, 204] : [400, 404];
}

const everyAnswer = [200, 201, 202, 204, 400, 401, 404, 409, 422, 429];

/** The texts of one person in an answer to another, without those that the request contained. */
function leaked({ body, headers }: Answer, sent: string): string[] {
  const text = JSON.stringify([body, [...headers]]);
  return ana.marks.filter((mark) => !sent.includes(mark) && text.includes(mark));
}

test('whoever has no session gets a 401 from every call but those for everybody', async () => {
  const open = operations.filter(({ needsSession }) => !needsSession).map(nameOf);
  expect(open.sort()).toEqual(forEverybody);
  const { token } = ana.person;
  const strangers: RequestInit['headers'][] = [
    {},
    { authorization: `Bearer ${'a'.repeat(43)}` },
    { authorization: `Basic ${token}` },
    { authorization: token },
    { cookie: `tirelire.token=${token}; token=${token}` },
    { 'x-access-token': token },
  ];
  const placeholders = { id: '1', alert: '1', source: '1', kind: 'slack', code: 'A'.repeat(22) };
  for (const operation of closed()) {
    for (const headers of strangers) {
      const address = addressOf(operation, placeholders);
      const answer = await app.visitor.send(operation.method, `${address}?token=${token}`, {
        headers: Object(headers),
      });
      expect([answer.status, answer.body.code], nameOf(operation)).toEqual([401, 'Not_Signed_In']);
    }
  }
});

test('Basile reaches nothing of Ana’s by any call, whatever he names', async () => {
  const before = await ana.snapshot();
  for (const operation of closed()) {
    for (const id of ana.ids) {
      const answer = await ask(basile, operation, id);
      expect(leaked(answer, id), `${nameOf(operation)} ${id}`).toEqual([]);
      expect(notFound(operation), `${nameOf(operation)} ${id}`).toContain(answer.status);
      if (answer.status === 401) basile = await again(basile);
    }
  }
  expect(await ana.snapshot()).toEqual(before);
});

test('Basile reaches nothing of Ana’s by the calls for everybody', async () => {
  const before = await ana.snapshot();
  for (const operation of operations.filter(({ needsSession }) => !needsSession)) {
    for (const who of [app.visitor, basile]) {
      for (const id of ana.ids) {
        const answer = await ask(who, operation, id);
        expect(leaked(answer, id), `${nameOf(operation)} ${id}`).toEqual([]);
        expect(answer.status, nameOf(operation)).toBeLessThan(500);
      }
    }
  }
  expect(await ana.snapshot()).toEqual(before);
});

test('what is no id is a 404 or a 400 from every call, and no fault', async () => {
  const odd = [
    '0',
    '-1',
    'null',
    '1e9',
    "1' or '1'='1",
    '../users/me',
    '🐖',
    'a'.repeat(500),
    '%00',
  ];
  for (const operation of closed().filter(({ path }) => path.includes('{'))) {
    for (const id of odd) {
      const { status } = await ask(ana.person, operation, id);
      expect(notFound(operation), `${nameOf(operation)} ${id}`).toContain(status);
    }
  }
});

test('the operators’ page is not there for anybody else', async () => {
  expect(await basile.get('/operations')).toMatchObject({
    status: 404,
    body: { code: 'Not_Found' },
  });
});

/** His last request may have ended his session. */
async function again(person: Person): Promise<Person> {
  const { email, password } = person.details;
  const { body } = await app.visitor.post('/accounts/login', { email, password });
  return { ...person, ...app.visitor.as(body.token), token: body.token };
}
