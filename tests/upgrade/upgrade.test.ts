import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startServer } from '../../src/server/app/server.ts';
import { sealedColumns } from '../../src/server/operations/sealed-columns.ts';
import type { Configuration } from '../../src/server/platform/configuration/configuration.ts';
import { openDatabase } from '../../src/server/platform/database/open.ts';
import { countSealed } from '../../src/server/platform/vault/sealed-columns.ts';
import { configuredBridge } from '../../src/server/providers/banks/bridge/definition.ts';
import { dayMs } from '../../src/shared/calendar/durations.ts';
import type { MessagePreview } from '../../src/shared/contract/messages.ts';
import type { Operations } from '../../src/shared/contract/operations.ts';
import { startBridgeStandin } from '../../standins/bridge/server.ts';
import { startSlackStandin } from '../../standins/slack/server.ts';
import { type Application, startApplication } from '../support/application.ts';
import { manualClock } from '../support/clock.ts';
import { configurationFor } from '../support/configuration.ts';
import { engines } from '../support/engines.ts';
import type { Client } from '../support/person.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import {
  copyStandins,
  digestOf,
  type Expected,
  type ExpectedAnswer,
  type FixtureVersion,
  fixtureVersions,
  inOrder,
  loadEmbedded,
  loadPostgres,
  readExpected,
} from './load.ts';

const fixtures = fixtureVersions.flatMap((version) =>
  engines.map((engine) => ({ version, engine })),
);

describe.each(fixtures)('a database filled by $version, on $engine', ({ version, engine }) => {
  let folder: string;
  let cluster: PostgresServer | null = null;
  let expected: Expected;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tirelire-upgrade-'));
    if (engine === 'postgres') cluster = await startPostgres();
    expected = await readExpected(version, engine);
  });
  afterAll(async () => {
    await cluster?.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function load(name: string): Promise<Configuration['database']> {
    if (cluster) {
      const url = await cluster.createDatabase();
      await loadPostgres(version, url);
      return { engine: 'postgres', url };
    }
    await loadEmbedded(version, join(folder, name));
    return { engine: 'embedded', folder: join(folder, name) };
  }

  describe('opened by this version', () => {
    let app: Application;
    beforeAll(async () => {
      const { appSecret, now, operatorEmails, publicUrl } = expected;
      app = await startApplication({
        clock: manualClock(now),
        database: await openDatabase({ database: await load('asked') }, () => {}),
        configuration: { appSecrets: [appSecret], operatorEmails, publicUrl },
      });
    });
    afterAll(() => app.close());

    it('gives the answers that it gave', async () => {
      const at = { version, now: new Date(expected.now) };
      for (const { token, answers } of expected.people) {
        await expectAnswers(at, app.visitor.as(token), answers);
      }
      await expectAnswers(at, app.visitor, expected.public);
    });

    it('has every row, and opens every sealed value', async () => {
      const counts: Record<string, number> = {};
      for (const table of Object.keys(expected.tables)) {
        const name = renamed[table] ?? table;
        const { rows } = await sql<{ n: number }>`select count(*)::int as n
          from ${sql.table(name)}`.execute(app.services.database.sql);
        counts[table] = rows[0]?.n ?? 0;
      }
      // New migrations were added, as is right.
      counts.kysely_migration = expected.tables.kysely_migration ?? 0;
      expect(counts).toEqual(expected.tables);
      expect(await countSealed(app.services, sealedColumns)).toEqual({
        ...{ current: expected.sealed, older: 0, unreadable: 0 },
      });
    });

    it('lets people sign in', async () => {
      for (const { email, password, totpSecret, recoveryCodes } of expected.people) {
        // One of them has tried too often: his next try has to wait.
        if (email === null || email.startsWith('ines')) continue;
        const otp = totpSecret === null ? {} : { otp: recoveryCodes[0] };
        const answer = await app.visitor.post('/accounts/login', { email, password, ...otp });
        expect(answer.status, email).toBe(200);
      }
    });

    it('knows an address by both spellings of its domain', async () => {
      for (const { email, password } of expected.people) {
        if (!email?.endsWith('@société.fr')) continue;
        const sent = email.replace('société', 'xn--socit-esab');
        const answer = await app.visitor.post('/accounts/login', { email: sent, password });
        expect(answer.status, sent).toBe(200);
      }
    });
  });

  it('is taken up where it was killed', { timeout: 90_000 }, async () => {
    const clock = manualClock(expected.now);
    const files = await copyStandins(version, engine, folder);
    const bank = await startBridgeStandin({ clock, stateFile: files.bank });
    const chat = await startSlackStandin({ clock, stateFile: files.chat });
    const { appSecret, operatorEmails, publicUrl } = expected;
    const usual = configurationFor(chat.url);
    const { clientId, clientSecret } = bank;
    const server = await startServer(
      {
        ...usual,
        ...{ operatorEmails, publicUrl, dataDir: folder, database: await load('taken-up') },
        appSecrets: [appSecret],
        bankSources: [
          configuredBridge({ apiUrl: bank.url, clientId, clientSecret, webhookSecrets: [] }),
        ],
      },
      { clock, log: pino({ level: 'silent' }), mailer: { send: async () => {} } },
    );
    const { sql: database } = server.services.database;
    await vi.waitFor(
      async () => {
        const { rows } = await sql`
          select 1 from deliveries where outcome = 'pending'
          union all select 1 from slots where next_at <= ${clock.now()}
          union all select 1 from alert_readings
          union all select 1 from deletions where mailed_at is null
            and user_id not in (select user_id from deletion_banks)`.execute(database);
        // The deletion that is left out waits for a bank service that is not configured here.
        expect(rows).toEqual([]);
      },
      { timeout: 60_000, interval: 100 },
    );
    const rows = await database
      .selectFrom('deliveries')
      .select(['messenger_id', 'kind', 'local_date'])
      .select(['outcome', 'reason', 'attempts', 'resends'])
      .where('finished_at', '=', clock.now())
      .execute();
    const ends = rows.map(({ messenger_id: id, kind, local_date: day, ...end }) => [
      `${id} ${kind} ${day}`,
      end,
    ]);
    expect(Object.fromEntries(ends)).toEqual(expected.takenUp);
    await server.stop();
    await Promise.all([bank.close(), chat.close()]);
  });
});

interface Export {
  items: Record<string, unknown>[];
  messengers: Record<string, unknown>[];
  alerts?: unknown[];
  mailboxes?: unknown[];
  sources?: unknown[];
  statementFolders?: Record<string, unknown>[];
}

/** An export of a person's data without the fields that were added since that version. */
const asExported: Record<FixtureVersion, (body: Export) => object> = {
  'version-1': (body) => ({
    ...withoutAdded(body),
    items: body.items.map(({ state, notice, form, ...item }) => item),
    messengers: body.messengers.map(({ chat, chatName, channels, drawing, relinkLabel, ...rest }) =>
      withoutChoices(rest),
    ),
  }),
  'version-3': (body) => ({
    ...withoutAdded(body),
    messengers: body.messengers.map(withoutChoices),
  }),
  'version-6': (body) => ({
    ...body,
    statementFolders: body.statementFolders?.map(({ leftDate, leftFile, ...folder }) => folder),
  }),
};

function withoutAdded({ alerts, mailboxes, sources, statementFolders, ...body }: Export) {
  return body;
}

/** What a message says beside its text is chosen since, and its place may be said in words of its own. */
function withoutChoices(messenger: Record<string, unknown>) {
  const { chart, attention, operations, placePhrase, ...rest } = messenger;
  return rest;
}

interface Preview {
  text: string;
  blocks: unknown;
}

/** Messages are worded and drawn anew since: a preview still names the amounts that it named. */
function withAmounts(body: unknown): unknown {
  const { text, blocks, ...rest } = Object(body) as Partial<Preview>;
  if (text === undefined || blocks === undefined) return body;
  const amounts = text.match(/\d[\d\u202f]*,\d\d/g) ?? [];
  return { ...rest, amounts: Object.fromEntries(amounts.map((amount) => [amount, true])) };
}

const silent = "La banque ne répond pas. Nous réessayons, vous n'avez rien à faire.";

/** Sentences that have other words since: the earlier ones, and those of now. */
const reworded: [string, string | RegExp][] = [
  // The day of the next message is named since, where there is one.
  [
    "Le message n'a pas pu être envoyé à cause d'une erreur de notre côté. Nous réessaierons demain.",
    /Le message n'a pas pu être envoyé à cause d'une erreur de notre côté\.( Nous réessaierons [^.]+\.)?/g,
  ],
  ['cet espace', 'cet espace de travail'],
  ["n'a pas pris le message", "n'a pas accepté le message"],
  // A shorter sentence stood beside this one, for a card with the stale warning.
  [
    `{"sentence":"${silent}","action":null,"sentenceWhenStale":"La banque ne répond pas. Nous réessayons."}`,
    `{"sentence":"${silent}","action":null}`,
  ],
];

function inWordsOfThen<Body>(body: Body): Body {
  let text = JSON.stringify(body ?? null);
  for (const [earlier, now] of reworded) text = text.replaceAll(now, earlier);
  return JSON.parse(text);
}

/** A preview is compared with yesterday since, where it was compared with nothing before a first message. */
function withoutYesterday(body: unknown): unknown {
  const { previous } = (body ?? {}) as Partial<MessagePreview>;
  return previous?.isBeforeFirst ? { ...(body as MessagePreview), previous: null } : body;
}

interface Comparison {
  /** An answer of now, as that version would have given it. */
  ofThen: (body: unknown) => unknown;
  /** What is compared of both answers. */
  compared: (body: unknown) => unknown;
}

const earlier: Comparison = {
  ofThen: (body) => inWordsOfThen(withoutYesterday(body)),
  compared: withAmounts,
};
const comparisons: Record<FixtureVersion, Comparison> = {
  'version-1': earlier,
  'version-3': earlier,
  'version-6': { ofThen: (body) => body, compared: (body) => body },
};

/** Tables that have another name since. */
const renamed: Record<string, string> = {
  bank_users: 'bank_links',
  bank_items: 'bank_connections',
  bank_visits: 'bank_connect_sessions',
  workspaces: 'destinations',
  workspace_authorizations: 'destination_authorizations',
};

/** The page of operators shows the mails of the last seven days since, and counts more messages as late. */
function asOperatorsSeeIt(body: unknown, now: Date): unknown {
  const { mails } = (body ?? {}) as Partial<Operations>;
  if (!mails) return body;
  const shown = mails.filter(
    ({ createDate }) => now.getTime() - Date.parse(createDate) < 7 * dayMs,
  );
  return { ...(body as Operations), mails: shown, overdue: expect.any(Number) };
}

async function expectAnswers(
  { version, now }: { version: FixtureVersion; now: Date },
  client: Client,
  answers: ExpectedAnswer[],
): Promise<void> {
  const { ofThen, compared } = comparisons[version];
  for (const { method, path, send, status, lastModified, body, unordered, digest } of answers) {
    const answer = method === 'GET' ? await client.get(path) : await client.post(path, send);
    const answered = ofThen(answer.body);
    const given = {
      ...{ path, status: answer.status, lastModified: answer.headers.get('last-modified') },
      body: unordered ? inOrder(answered) : compared(answered),
    };
    // Later versions may add fields, and change none.
    if (digest === null)
      expect(given).toMatchObject({
        path,
        status,
        lastModified,
        body: compared(asOperatorsSeeIt(body, now)),
      });
    else {
      const exported = answered as Export;
      expect({ path, digest: digestOf(asExported[version](exported)) }).toEqual({ path, digest });
    }
  }
}
