import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { endUnclaimed } from '../../src/server/workspaces/unclaimed.ts';
import { openSetting, type Setting } from '../accounts/setting.ts';
import type { Person } from '../support/person.ts';
import { authorizeSlack, connectSlack, isInstalled } from '../support/slack.ts';

let app: Setting;
let ana: Person;

beforeAll(async () => {
  app = await openSetting();
});
beforeEach(async () => {
  ana = await app.signUp();
});
afterAll(() => app.close());

const team = 'T0FONTAINE';

function statesOf(person: Person): Promise<{ state: string }[]> {
  return app.parts.database.sql
    .selectFrom('workspaces')
    .select('state')
    .where('user_id', '=', person.id)
    .execute();
}

it('what nobody claimed is ended at the chat too, once whoever might claim it is done', async () => {
  await authorizeSlack(app, ana, team);
  app.clock.advance({ minutes: 10 });
  await endUnclaimed(app.parts);
  expect(await statesOf(ana)).toEqual([{ state: 'pending' }]);
  app.clock.advance({ minutes: 2 });
  await endUnclaimed(app.parts);
  expect(await statesOf(ana)).toEqual([]);
  expect(await isInstalled(app, team)).toBe(false);
});

it('a chat that does not answer is asked again the next time', async () => {
  await authorizeSlack(app, ana, team);
  app.clock.advance({ minutes: 12 });
  app.chat.control.addFault({ kind: 'status', method: 'auth.revoke', status: 500, times: 1 });
  await endUnclaimed(app.parts);
  expect(await statesOf(ana)).toEqual([{ state: 'pending' }]);
  await endUnclaimed(app.parts);
  expect(await statesOf(ana)).toEqual([]);
  expect(await isInstalled(app, team)).toBe(false);
});

it('the bot stays where it is in use, were it by the same person', async () => {
  await connectSlack(app, ana, team);
  const basile = await app.signUp();
  for (const person of [ana, basile]) await authorizeSlack(app, person, team);
  app.clock.advance({ minutes: 12 });
  await endUnclaimed(app.parts);
  expect(await statesOf(ana)).toEqual([{ state: 'connected' }]);
  expect(await statesOf(basile)).toEqual([]);
  expect(await isInstalled(app, team)).toBe(true);
  expect((await ana.get('/messengers/slack/channels?refresh=1')).status).toBe(200);
});

it('is a part of the upkeep, every hour', async () => {
  await authorizeSlack(app, ana, team);
  app.clock.advance({ minutes: 12 });
  const { database, queue } = app.parts;
  await database.sql
    .transaction()
    .execute((transaction) => queue.insert(transaction, 'upkeep', [{ data: {} }]));
  await vi.waitFor(async () => expect(await statesOf(ana)).toEqual([]), { timeout: 15_000 });
});
