/**
 * The real application on a fresh database in memory, with a clock that stands still, seeded
 * randomness and both outside services played over real HTTP.
 *
 *   const app = await startApplication();              // once per file, in beforeAll
 *   const ana = await app.signUp();                    // a signed-in person
 *   const { status, body } = await ana.get('/users/me');
 *   await app.visitor.post('/accounts/login', { email, password });
 *   app.clock.advance({ hours: 1 });
 *   app.chat.control / app.bank                        // the stand-ins: faults, inspection
 *   await app.close();                                 // in afterAll
 *
 * Every answer is recorded; `close` fails when one of them is not what openapi.json says.
 */
import { buildApp } from '../../src/server/app/http-application.ts';
import type { ServiceOverrides, Services } from '../../src/server/app/services.ts';
import { openServices } from '../../src/server/app/services.ts';
import { createPasswords } from '../../src/server/identity/users/password-hashing.ts';
import type { OpenDatabase } from '../../src/server/platform/database/open.ts';
import { openListener } from '../../src/server/platform/http/listener.ts';
import type { Mailer } from '../../src/server/platform/mail/mailer.ts';
import { configuredBridge } from '../../src/server/providers/banks/bridge/definition.ts';
import type { ConfiguredChat } from '../../src/server/providers/chats/registry.ts';
import { configuredSlack } from '../../src/server/providers/chats/slack/definition.ts';
import type { AppConfiguration } from '../../src/server/providers/configuration.ts';
import { type BridgeStandin, startBridgeStandin } from '../../standins/bridge/server.ts';
import { type SlackStandin, startSlackStandin } from '../../standins/slack/server.ts';
import { type ManualClock, manualClock } from './clock.ts';
import { configurationFor } from './configuration.ts';
import { undocumented } from './documentation.ts';
import { type Engine, startDatabases } from './engines.ts';
import { openPreparedDatabase } from './memory-database.ts';
import { type Answer, type Client, connect, type Person, signUp } from './person.ts';
import { seededRandomness } from './randomness.ts';
import { unlogged } from './unlogged.ts';

interface Options {
  clock?: ManualClock;
  /** Default: a fresh prepared one in memory. */
  database?: OpenDatabase;
  configuration?: Partial<AppConfiguration>;
  /** Chats beside the one that is always there. */
  chats?: ConfiguredChat[];
  mailer?: Mailer;
  /** Hashed as the product does; cheaply without it. */
  costlyPasswords?: boolean;
  /** Where addresses that people paste may lead; to public hosts without it. */
  standinOrigins?: string[];
  /** Those the bank's webhooks may be signed with; none by default. */
  webhookSecrets?: string[];
}

export interface Application {
  services: Services;
  clock: ManualClock;
  /** Where it listens, without a trailing slash. */
  url: string;
  bank: BridgeStandin;
  chat: SlackStandin;
  visitor: Client;
  answers: Answer[];
  signUp(details?: Partial<Person['details']>): Promise<Person>;
  close(): Promise<void>;
}

export async function startApplication(options: Options = {}): Promise<Application> {
  const clock = options.clock ?? manualClock();
  const [listener, bank, chat, database] = await Promise.all([
    openListener({ host: '127.0.0.1', port: 0 }, unlogged),
    startBridgeStandin({ clock }),
    startSlackStandin({ clock }),
    options.database ?? openPreparedDatabase(),
  ]);
  const url = `http://127.0.0.1:${listener.port}`;
  const { services, close } = await openServices(
    { ...configurationOf(url, bank, chat, options), ...options.configuration },
    {
      ...{ clock, database, log: unlogged.log, randomness: seededRandomness('tests') },
      ...overridesOf(options),
    },
  );
  const app = await buildApp(services);
  await app.ready();
  listener.handOver(app.routing);
  const answers: Answer[] = [];
  const visitor = connect(url, (answer) => answers.push(answer));
  return {
    ...{ services, clock, url, bank, chat, visitor, answers },
    signUp: (details) => signUp(visitor, details),
    async close() {
      const document = (await app.inject('/api/openapi.json')).json();
      const faults = undocumented(document, answers);
      await listener.close(0);
      await app.close();
      await close();
      await Promise.all([bank.close(), chat.close()]);
      if (faults.length > 0) throw new Error(`Not as documented:\n${faults.join('\n')}`);
    },
  };
}

/** On a fresh prepared database of that engine. */
export async function startApplicationOn(engine: Engine): Promise<Application> {
  const databases = await startDatabases(engine);
  const app = await startApplication({ database: await databases.open() });
  return {
    ...app,
    async close() {
      await app.close();
      await databases.close();
    },
  };
}

/** Hashes that withstand guessing would be half of all the work of signing up and in. */
const cheap = { memoryCost: 64, timeCost: 1, parallelism: 1 };

function overridesOf({
  mailer,
  standinOrigins,
  costlyPasswords = false,
}: Options): ServiceOverrides {
  return {
    ...(mailer && { mailer }),
    ...(standinOrigins && { standinOrigins }),
    ...(!costlyPasswords && { passwords: createPasswords({ cost: cheap }) }),
  };
}

function configurationOf(
  publicUrl: string,
  bank: BridgeStandin,
  chat: SlackStandin,
  { webhookSecrets = [], chats = [] }: Options,
): AppConfiguration {
  return {
    ...configurationFor(chat.url),
    publicUrl,
    role: 'all',
    dataDir: 'memory://',
    bankSources: [
      configuredBridge({
        apiUrl: bank.url,
        clientId: bank.clientId,
        clientSecret: bank.clientSecret,
        webhookSecrets,
      }),
    ],
    chats: [
      configuredSlack({
        apiUrl: chat.apiUrl,
        authorizeUrl: chat.authorizeUrls.granular,
        scope: 'chat:write,chat:write.public,channels:read,groups:read',
        clientId: chat.clientId,
        clientSecret: chat.clientSecret,
        signingSecrets: [chat.signingSecret],
      }),
      ...chats,
    ],
  };
}
