import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startWorker, type Worker } from '../../../src/server/app/worker.ts';
import { example, exampleListed } from '../../providers/chats/example/definition.ts';
import {
  type ExampleStandin,
  startExampleStandin,
  type Team,
} from '../../providers/chats/example/standin.ts';
import { type Application, startApplication } from '../../support/application.ts';
import type { Person } from '../../support/person.ts';
import { connectSlack } from '../../support/slack.ts';
import { bonnard, fontaine } from './people.ts';
import { quick } from './quick.ts';

let standin: ExampleStandin;
let app: Application;
let worker: Worker;
beforeAll(async () => {
  standin = await startExampleStandin();
  const chats = [example, exampleListed].flatMap((definition) => definition.configure({}) ?? []);
  app = await startApplication({ chats });
  worker = await startWorker(app.services, quick);
});
afterEach(() => {
  app.chat.control.clearFaults();
  app.chat.control.clearMessages();
});
afterAll(async () => {
  await worker.stop();
  await app.close();
  await standin.close();
});

const tester = (person: Person, id: string, slackChannel?: string) =>
  person.post(`/messengers/slack/${id}`, {
    message: 'Essai',
    ...(slackChannel && { slackChannel }),
  });

const unknown = {
  status: 422,
  body: { code: 'Invalid_Messenger', details: [{ path: '/slackChannel' }] },
};

describe('a test in Slack', () => {
  let ana: Person;
  let id: string;
  beforeEach(async () => {
    ana = await app.signUp();
    id = (await connectSlack(app, ana, bonnard.team)).id;
    await ana.patch(`/messengers/${id}`, { slackChannel: bonnard.general, message: 'Bonjour' });
  });

  const asked = (method: string) =>
    app.chat.control.requests().filter((request) => request.method === method).length;

  it.each(['U0VICTIM', 'D0VICTIM', fontaine.general, 'C0NOWHERE'])(
    'is posted to no channel that the installation does not list, such as %s',
    async (channel) => {
      const posts = asked('chat.postMessage');
      expect(await tester(ana, id, channel)).toMatchObject(unknown);
      expect(asked('chat.postMessage')).toBe(posts);
      const { body } = await ana.get(`/messengers/${id}/deliveries`);
      expect(body.deliveries).toEqual([]);
    },
  );

  it('is posted to another channel of the list, whose name stands in the history', async () => {
    expect((await tester(ana, id, bonnard.treasury)).status).toBe(200);
    expect(app.chat.control.messages(bonnard.team, bonnard.treasury)).toHaveLength(1);
    const { body } = await ana.get(`/messengers/${id}/deliveries`);
    expect(body.deliveries[0].channelName).toBe('trésorerie');
  });

  it('is not posted to one that cannot be checked, and says that Slack is away', async () => {
    app.chat.control.addFault({
      kind: 'status',
      method: 'conversations.info',
      status: 503,
      times: null,
    });
    const { status, body } = await tester(ana, id, bonnard.treasury);
    expect([status, body.code]).toEqual([503, 'Slack_Unavailable']);
    expect(app.chat.control.messages(bonnard.team, bonnard.treasury)).toEqual([]);
  });

  it('in the saved channel asks nothing before it posts', async () => {
    const checks = asked('conversations.info');
    expect((await tester(ana, id)).status).toBe(200);
    expect((await tester(ana, id, bonnard.general)).status).toBe(200);
    expect(asked('conversations.info')).toBe(checks);
  });
});

describe('a test in a chat', () => {
  const team: Team = {
    name: 'Les Lilas',
    channelNames: ['salon', 'cave'],
    arrived: [],
    next: null,
  };

  it.each([
    ['example', 'whose link brings its only channel', 'cave'],
    ['examplelisted', 'whose channels are listed', 'grenier'],
  ])('(%s) %s goes nowhere else', async (kind, _what, elsewhere) => {
    standin.teams.set(kind, team);
    const ana = await app.signUp();
    const values = { address: `${standin.url}/${kind}` };
    const { body } = await ana.post(`/messengers/chats/${kind}/link`, { values });
    expect(await tester(ana, body.id, elsewhere)).toMatchObject(unknown);
    expect((await tester(ana, body.id, 'salon')).status).toBe(200);
    const tests = team.arrived.splice(0).filter(({ text }) => text === 'Essai');
    expect(tests.map(({ channel }) => channel)).toEqual(['salon']);
  });
});
