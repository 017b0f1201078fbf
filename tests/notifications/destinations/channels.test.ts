import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../support/application.ts';
import type { Person } from '../../support/person.ts';
import { slackOf } from '../../support/slack.ts';

let app: Application;
const scope = 'chat:write,chat:write.public,channels:read,groups:read';
const list = '/messengers/slack/channels';

beforeAll(async () => {
  app = await startApplication();
});

afterEach(() => {
  app.chat.control.clearFaults();
  app.clock.advance({ minutes: 5 });
});

afterAll(() => app.close());

async function connected(team: string): Promise<Person & { messengerId: string }> {
  const person = await app.signUp();
  const slackBotToken = app.chat.control.install(team, scope);
  const { body } = await person.post('/messengers', { slackBotToken });
  return { ...person, messengerId: body.id };
}

describe('The channels of a workspace', () => {
  it('are all there, sorted as a French reader expects, archived ones left out', async () => {
    const ana = await connected('T0BONNARD');
    const { status, body, headers } = await ana.get(list);
    expect(status).toBe(200);
    expect(headers.get('x-channels-complete')).toBe('true');
    const names = body.map((channel: { name: string }) => channel.name);
    const collator = new Intl.Collator('fr', { numeric: true });
    expect(names.length).toBeGreaterThan(2000);
    expect(names).toEqual(names.toSorted(collator.compare));
    expect(names).not.toContain('ancien-budget');
    expect(body.find((one: { name: string }) => one.name === 'expert-comptable')).toEqual({
      id: 'C0BEXPERT00',
      name: 'expert-comptable',
      isPrivate: false,
      isExternal: true,
    });
  });

  it('are asked for once for two tabs, then remembered, until someone refreshes', async () => {
    const ana = await connected('T0FONTAINE');
    const hidden = async (path: string) =>
      (await ana.get(path)).body.some((one: { id: string }) => one.id === 'C0FDIRECT00');
    expect(await Promise.all([hidden(list), hidden(list)])).toEqual([false, false]);
    app.chat.control.setChannel('T0FONTAINE', 'C0FDIRECT00', { isMember: true });
    expect(await hidden(list)).toBe(false);
    expect(await hidden(`${list}?refresh=1`)).toBe(true);
    app.chat.control.setChannel('T0FONTAINE', 'C0FDIRECT00', { isMember: false });
    app.clock.advance({ minutes: 2 });
    expect(await hidden(list)).toBe(false);
  });

  it('are shown as far as Slack gave them, and it is said', async () => {
    const ana = await connected('T0BONNARD');
    const method = 'conversations.list';
    app.chat.control.addFault({ method, kind: 'delay', ms: 0, times: 2 });
    app.chat.control.addFault({ method, kind: 'ratelimited' });
    const { status, body, headers } = await ana.get(list);
    expect([status, headers.get('x-channels-complete')]).toEqual([200, 'false']);
    expect(body.length).toBeGreaterThan(300);
  });

  it('are a clear refusal when Slack gives nothing', async () => {
    const ana = await connected('T0BONNARD');
    app.chat.control.addFault({ kind: 'ratelimited', retryAfter: 9 });
    const { status, body, headers } = await ana.get(list);
    expect([status, body.code, headers.get('retry-after')]).toEqual([
      503,
      'Slack_Unavailable',
      '9',
    ]);
  });

  it('are shared with whoever has the same bot, and with nobody whose token ended or is another’s', async () => {
    const ana = await connected('T0LENOIR');
    await app.chat.control.uninstall('T0LENOIR');
    const bob = await connected('T0LENOIR');
    const slack = slackOf(app);
    const { listChannels } = slack;
    let asked = 0;
    slack.listChannels = (token) => {
      asked += 1;
      return listChannels(token);
    };
    const both = [bob, await connected('T0LENOIR')];
    for (const person of both) expect((await person.get(list)).status).toBe(200);
    expect(asked).toBe(1);
    const refused = await ana.get(list);
    expect([refused.status, refused.body.code]).toEqual([502, 'Slack_Refused']);
    slack.listChannels = listChannels;
  });

  it('are those of the notification that is named, and of nobody else’s', async () => {
    const ana = await connected('T0FONTAINE');
    const other = app.chat.control.install('T0LENOIR', scope);
    const { body } = await ana.post('/messengers', { slackBotToken: other });
    const ids = (await ana.get(`${list}?messengerId=${body.id}`)).body.map(
      (one: { id: string }) => one.id,
    );
    expect(ids).toContain('C0LTRESOR00');
    expect((await ana.get(list)).body[0].id).toMatch(/^C0F/);
    const eve = await connected('T0FONTAINE');
    expect((await eve.get(`${list}?messengerId=${ana.messengerId}`)).status).toBe(404);
    expect((await app.visitor.get(list)).status).toBe(401);
    expect((await app.visitor.get('/messengers/slack/connect')).status).toBe(401);
  });

  it('have their new names in the notifications that post there, of their own reader alone', async () => {
    const [ana, eve] = [await connected('T0FONTAINE'), await connected('T0FONTAINE')];
    for (const person of [ana, eve]) {
      const chosen = { slackChannel: 'C0FTRESOR00', message: 'Bonjour' };
      await person.patch(`/messengers/${person.messengerId}`, chosen);
    }
    const nameFor = async (person: Person) =>
      (await person.get('/users/me')).body.messengers[0].slackChannelName;
    app.chat.control.setChannel('T0FONTAINE', 'C0FTRESOR00', { name: 'finances' });
    await ana.get(`${list}?refresh=1`);
    expect([await nameFor(ana), await nameFor(eve)]).toEqual(['finances', 'trésorerie']);
    // From the list that is remembered for both.
    await eve.get(list);
    expect(await nameFor(eve)).toBe('finances');
    app.chat.control.setChannel('T0FONTAINE', 'C0FTRESOR00', { name: 'trésorerie' });
  });
});
