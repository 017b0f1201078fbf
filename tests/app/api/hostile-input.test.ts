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

test('brackets nested deeper than any stack are refused like any wrong body', async () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  const headers = { 'content-type': 'application/json' };
  const answer = await app.visitor.send('POST', '/accounts/login', {
    headers,
    body: nested(30_000),
  });
  expect(answer.status).toBe(400);
  const body = `{"message":"Bonjour","autre":${nested(200_000)}}`;
  const saved = await ana.send('PATCH', `/messengers/${id}`, { headers, body });
  expect(saved.status).toBe(200);
});

test.each([
  '2026-01-12T08:00:00.000Z ------------------------------------',
  '+275760-09-13T00:00:00.000Z 00000000-0000-0000-0000-000000000000',
  '-271821-04-20T00:00:00.000Z 00000000-0000-0000-0000-000000000000',
  '2026-01-12 00000000-0000-0000-0000-000000000000',
])('a history read from %j on is refused', async (forged) => {
  const before = Buffer.from(forged).toString('base64url');
  const { status } = await ana.get(`/messengers/${id}/deliveries?before=${before}`);
  expect(status).toBe(400);
});

test.each(['\ud800', '#général', '<!channel>'])('%j is no channel', async (slackChannel) => {
  const saved = await ana.patch(`/messengers/${id}`, { slackChannel });
  const tried = await ana.post(`/messengers/slack/${id}`, { message: 'Bonjour', slackChannel });
  for (const { status, body } of [saved, tried]) {
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'Invalid_Messenger' });
  }
});
