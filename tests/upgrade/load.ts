import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzip, zstdDecompress } from 'node:zlib';
import pg from 'pg';

type FixtureEngine = 'embedded' | 'postgres';

/** The versions that filled databases; each folder has a README. */
export const fixtureVersions = ['version-1', 'version-3', 'version-6'] as const;
export type FixtureVersion = (typeof fixtureVersions)[number];

/** What the version that filled the database said of it; see the READMEs beside it. */
export interface Expected {
  /** Its APP_SECRET: what is sealed opens with it. */
  appSecret: string;
  /** ISO 8601: the moment at which the clock stood when the answers were given. */
  now: string;
  /** Its OPERATOR_EMAILS. */
  operatorEmails: string[];
  publicUrl: string;
  /** Rows by table, of the schema `public`. */
  tables: Record<string, number>;
  /** Sealed values, all of which `appSecret` opens. */
  sealed: number;
  /** Jobs by queue and state, those that were done left out. */
  jobs: Record<string, number>;
  people: ExpectedPerson[];
  /** Asked without a session: receipts of deletions. */
  public: ExpectedAnswer[];
  /**
   * How the deliveries end that a worker settles at `now`, with the stand-ins as `copyStandins` gives
   * them: by notification, kind and day.
   */
  takenUp: Record<string, ExpectedEnd>;
}

interface ExpectedEnd {
  outcome: string;
  reason: string | null;
  attempts: number;
  resends: number;
}

interface ExpectedPerson {
  id: string;
  /** Null where the account is being erased: then `token` meets 401. */
  email: string | null;
  password: string;
  /** Of a session used within the hour before `now`: asking does not prolong it. */
  token: string;
  /** Base32; null without a second factor. */
  totpSecret: string | null;
  /** Those that were not used. */
  recoveryCodes: string[];
  answers: ExpectedAnswer[];
}

export interface ExpectedAnswer {
  method: 'GET' | 'POST';
  /** Under /api, with its query. */
  path: string;
  /** What was posted; null for nothing. */
  send: unknown;
  status: number;
  /** Says when the bank was read; null where the answer had none. */
  lastModified: string | null;
  /** As `inOrder` gives it where `unordered`; left out where `digest` stands for it. */
  body?: unknown;
  /** The answer's lists have no order of their own. */
  unordered: boolean;
  /** `digestOf` the body, for what is long: the export of a person's data. */
  digest: string | null;
}

export async function readExpected(
  version: FixtureVersion,
  engine: FixtureEngine,
): Promise<Expected> {
  return JSON.parse(await readFile(join(folderOf(version, engine), 'expected.json'), 'utf8'));
}

/** Lays the cluster where the product expects it: `folder` is its DATA_DIR/database. */
export async function loadEmbedded(version: FixtureVersion, folder: string): Promise<void> {
  const cluster = join(folder, 'cluster');
  await mkdir(cluster, { recursive: true, mode: 0o700 });
  const unpacking = promisify(execFile)('tar', ['-xf', '-', '-C', cluster]);
  unpacking.child.stdin?.end(await readCluster(version));
  await unpacking;
}

/** Into an empty database. */
export async function loadPostgres(
  version: FixtureVersion,
  connectionString: string,
): Promise<void> {
  const packed = await readFile(join(folderOf(version, 'postgres'), 'database.sql.gz'));
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query((await promisify(gunzip)(packed)).toString());
  } finally {
    await client.end();
  }
}

/**
 * Copies the state of the two stand-ins at `now`: their options' `stateFile`. With them the bank and
 * the chat still know the people, connections and tokens of the database.
 */
export async function copyStandins(
  version: FixtureVersion,
  engine: FixtureEngine,
  folder: string,
): Promise<{ bank: string; chat: string }> {
  const files = { bank: join(folder, 'bank.json'), chat: join(folder, 'chat.json') };
  await cp(join(folderOf(version, engine), 'bank.json'), files.bank);
  await cp(join(folderOf(version, engine), 'chat.json'), files.chat);
  return files;
}

/** SHA-256, hex, of a value whose lists may come in any order. */
export function digestOf(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(inOrder(value)))
    .digest('hex');
}

/** The same value with every list sorted by the text of its elements, and every object by its keys. */
export function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) {
    const elements = value.map((element) => [JSON.stringify(inOrder(element)), element] as const);
    return elements.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, one]) => inOrder(one));
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, part]) => [key, inOrder(part)]));
}

async function readCluster(version: FixtureVersion): Promise<Buffer> {
  const packed = await readFile(join(folderOf(version, 'embedded'), 'cluster.tar.zst'));
  return promisify(zstdDecompress)(packed);
}

function folderOf(version: FixtureVersion, engine: FixtureEngine): string {
  return fileURLToPath(new URL(`${version}/${engine}/`, import.meta.url));
}
