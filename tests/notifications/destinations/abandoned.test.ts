import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { destinationSecrets } from '../../../src/server/notifications/destinations/queries.ts';
import { revokeAbandoned } from '../../../src/server/notifications/destinations/revocation.ts';
import { upkeepJobs } from '../../../src/server/operations/jobs.ts';
import { ChatProviderError } from '../../../src/server/providers/chats/port.ts';
import { type Fixture, openFixture } from '../../identity/accounts/fixture.ts';
import type { Person } from '../../support/person.ts';
import { authorizeSlack, connectSlack, isInstalled } from '../../support/slack.ts';

let app: Fixture;
let ana: Person;

beforeAll(async () => {
  app = await openFixture();
});
beforeEach(async () => {
  ana = await app.signUp();
});
afterAll(() => app.close());

const team = 'T0FONTAINE';

function statesOf(person: Person): Promise<{ state: string }[]> {
  return app.services.database.sql
    .selectFrom('destinations')
    .select('state')
    .where('user_id', '=', person.id)
    .execute();
}

it('what nobody connected is ended at the chat too, once whoever might connect it is done', async () => {
  await authorizeSlack(app, ana, team);
  app.clock.advance({ minutes: 10, seconds: 30 });
  await revokeAbandoned(app.services);
  expect(await statesOf(ana)).toEqual([{ state: 'pending' }]);
  app.clock.advance({ minutes: 2 });
  await revokeAbandoned(app.services);
  expect(await statesOf(ana)).toEqual([]);
  expect(isInstalled(app, team)).toBe(false);
});

it('a chat that does not answer is asked again the next time', async () => {
  await authorizeSlack(app, ana, team);
  app.clock.advance({ minutes: 12 });
  app.chat.control.addFault({ kind: 'status', method: 'auth.revoke', status: 500, times: 1 });
  await revokeAbandoned(app.services);
  expect(await statesOf(ana)).toEqual([{ state: 'pending' }]);
  await revokeAbandoned(app.services);
  expect(await statesOf(ana)).toEqual([]);
  expect(isInstalled(app, team)).toBe(false);
});

it('a secret that no key opens is forgotten after a day', async () => {
  await authorizeSlack(app, ana, team);
  const elsewhere = { sealed_secret: 'sealed with another key' };
  await app.services.database.sql
    .updateTable('destinations')
    .set(elsewhere)
    .where('user_id', '=', ana.id)
    .execute();
  app.clock.advance({ minutes: 12 });
  await revokeAbandoned(app.services);
  expect(await statesOf(ana)).toEqual([{ state: 'pending' }]);
  app.clock.advance({ days: 1 });
  await revokeAbandoned(app.services);
  expect(await statesOf(ana)).toEqual([]);
});

it('what the chat refuses is forgotten after a day, and keeps no other from being ended', async () => {
  const basile = await app.signUp();
  await authorizeSlack(app, ana, team);
  await authorizeSlack(app, basile, 'T0LENOIR');
  app.clock.advance({ minutes: 12 });
  app.chat.control.addFault({
    ...{ kind: 'error', method: 'auth.revoke', code: 'no_permission', team, times: 2 },
  });
  await revokeAbandoned(app.services);
  expect(await statesOf(ana)).toEqual([{ state: 'pending' }]);
  expect(await statesOf(basile)).toEqual([]);
  app.clock.advance({ days: 1 });
  await revokeAbandoned(app.services);
  expect(await statesOf(ana)).toEqual([]);
  await app.chat.control.uninstall(team);
});

it('a chat that does not answer keeps no link of another chat from being ended', async () => {
  await authorizeSlack(app, ana, team);
  const { chats, database, randomness, vault } = app.services;
  const links = database.sql.selectFrom('destinations').where('user_id', '=', ana.id);
  const link = await links.selectAll().executeTakeFirstOrThrow();
  const older = Array.from({ length: 50 }, () => {
    const id = randomness.uuid();
    const sealed_secret = vault.seal('secret', destinationSecrets.additionalData(ana.id, id));
    const pending_until = app.clock.now();
    return { ...link, id, chat: 'silent', team_id: id, sealed_secret, pending_until };
  });
  await database.sql.insertInto('destinations').values(older).execute();
  app.clock.advance({ minutes: 12 });
  const revoke = async () => {
    throw new ChatProviderError('silent', 'unavailable', 'away');
  };
  const withSilent = new Map([...chats, ['silent', { revoke } as never]]);
  await revokeAbandoned({ ...app.services, chats: withSilent });
  expect(isInstalled(app, team)).toBe(false);
  expect(await statesOf(ana)).toHaveLength(50);
});

it('the bot stays for somebody else who is about to connect it', async () => {
  await authorizeSlack(app, ana, team);
  app.clock.advance({ minutes: 8 });
  const basile = await app.signUp();
  const slackBotToken = await authorizeSlack(app, basile, team);
  app.clock.advance({ minutes: 8 });
  await revokeAbandoned(app.services);
  expect(await statesOf(ana)).toEqual([]);
  expect((await basile.post('/messengers', { slackBotToken })).status).toBe(201);
  expect((await basile.get('/messengers/slack/channels?refresh=1')).status).toBe(200);
  await app.chat.control.uninstall(team);
});

it('the bot stays where it is in use, were it by the same person', async () => {
  await connectSlack(app, ana, team);
  const basile = await app.signUp();
  for (const person of [ana, basile]) await authorizeSlack(app, person, team);
  app.clock.advance({ minutes: 12 });
  await revokeAbandoned(app.services);
  expect(await statesOf(ana)).toEqual([{ state: 'connected' }]);
  expect(await statesOf(basile)).toEqual([]);
  expect(isInstalled(app, team)).toBe(true);
  expect((await ana.get('/messengers/slack/channels?refresh=1')).status).toBe(200);
});

it('is a part of the upkeep', async () => {
  await authorizeSlack(app, ana, team);
  app.clock.advance({ minutes: 12 });
  const { database, queue } = app.services;
  await database.sql
    .transaction()
    .execute((transaction) => queue.insert(transaction, upkeepJobs, [{ data: {} }]));
  await vi.waitFor(async () => expect(await statesOf(ana)).toEqual([]), { timeout: 15_000 });
});
