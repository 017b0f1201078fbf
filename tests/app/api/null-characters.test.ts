import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Application, startApplication } from '../../support/application.ts';
import type { Person } from '../../support/person.ts';
import { connectSlack } from '../../support/slack.ts';

let app: Application;
let ana: Person;
let id: string;
beforeAll(async () => {
  app = await startApplication();
  ana = await app.signUp();
  ({ id } = await connectSlack(app, ana, 'T0FONTAINE'));
});
afterAll(() => app.close());

const headers = { 'content-type': 'application/json' };
const refusal = {
  code: 'Invalid_Request',
  details: [{ path: '/', message: 'Le caractère U+0000 est refusé.' }],
};

test.each([
  ['in a text', String.raw`{"message":"a\u0000b"}`],
  ['in a name', String.raw`{"a\u0000b":1}`],
  ['in a list deep inside what nobody reads', String.raw`{"x":[0,{"y":["",["\u0000"]]}]}`],
  ['behind an escaped backslash', String.raw`{"message":"C:\\\u0000"}`],
  ['after one that only looks like it', String.raw`{"message":"\\u0000","x":"\u0000"}`],
  ['after a million values', String.raw`{"x":[${'0,'.repeat(500_000)}"\u0000"]}`],
])('U+0000 %s is refused in a sentence that names it', async (_where, body) => {
  const answer = await ana.send('PATCH', `/messengers/${id}`, { headers, body });
  expect(answer).toMatchObject({ status: 400, body: refusal });
});

test.each([
  ['in a text', '{"message":"a\u0000b"}'],
  ['between two values', '{"message":\u0000"a"}'],
])('U+0000 as it is, %s, is no JSON', async (_where, body) => {
  const answer = await ana.send('PATCH', `/messengers/${id}`, { headers, body });
  expect([answer.status, answer.body.code]).toEqual([400, 'Invalid_Request']);
});

test.each(['u0000', String.raw`C:\u0000`, String.raw`\\u0000`, String.raw`\x00 %00`])(
  '%j is a text like any other',
  async (message) => {
    const { status, body } = await ana.patch(`/messengers/${id}`, { message });
    expect({ status, message: body.message }).toEqual({ status: 200, message });
  },
);

test('U+0000 in an address is refused', async () => {
  for (const query of ['before=%00', 'before=a%00b', 'autre=1&%00=2']) {
    const answer = await ana.get(`/messengers/${id}/deliveries?${query}`);
    expect(answer, query).toMatchObject({ status: 400, body: refusal });
  }
  const answer = await ana.get('/messengers/a%00b/deliveries');
  expect(answer).toMatchObject({ status: 400, body: refusal });
});

test('a notice is bytes, whichever they are, until its signature holds', async () => {
  const signed = ['/bridge/webhooks', '/messengers/slack/events', '/messengers/slack/commands'];
  for (const path of signed) {
    const bodies = [Buffer.alloc(60_000), String.raw`{"a":"\u0000"}`];
    for (const body of bodies) {
      const answer = await app.visitor.send('POST', path, { headers, body });
      expect([answer.status, answer.body.code]).toEqual([401, 'Signature_Invalid']);
    }
  }
});
