import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { deliverySettings } from '../../../src/server/notifications/deliveries/settings.ts';
import type { ChatDeps } from '../../../src/server/providers/chats/port.ts';
import type { Pace } from '../../../src/server/providers/chats/posting.ts';
import { median, type Row } from '../../table.ts';
import { type Databases, measure, openDatabases } from '../runs.ts';
import { kinds } from './kinds.ts';

interface Figures {
  kind: string;
  arrived: number;
  perSecond: number;
  /** Of the first nine in ten: while there is more to post than the pace allows. */
  perSecondOfMost: number;
  p99: number;
}

/** Each chat beside the first, without their pace: three pairs in turn, the median of each. */
export async function measureChats(): Promise<Row[]> {
  const count = 1500;
  const databases = await openDatabases('postgres');
  const [usual = '', ...others] = Object.keys(kinds);
  const speedOf = async (kind: string) => {
    const [figures] = await postTo(databases, [{ kind, count, channels: count }], 'lifted');
    if (figures?.arrived !== count) throw new Error(`${figures?.arrived} arrived in ${kind}`);
    return figures.perSecond;
  };
  const rows: Row[] = [];
  for (const kind of others) {
    const pairs: [number, number][] = [];
    for (let pair = 0; pair < 3; pair += 1) pairs.push([await speedOf(usual), await speedOf(kind)]);
    rows.push({
      chat: kind,
      [`${usual}, per second`]: Math.round(median(pairs.map(([first]) => first))),
      'per second': Math.round(median(pairs.map(([, second]) => second))),
      ratio: median(pairs.map(([first, second]) => second / first)).toFixed(2),
    });
  }
  await databases.close();
  return rows;
}

/** All chats at once, each at its own pace, for some fifteen seconds. */
export async function measurePaces(): Promise<Row[]> {
  const loads = Object.keys(kinds).map((kind) => {
    const { perSecond, channelGapMs } = paceOf(kind);
    const ofChat = perSecond ?? 20;
    const channels = Math.max(1, Math.ceil(perSecond === null ? 20 : 6 * ofChat));
    const allowed = Math.min(ofChat, (1000 * channels) / channelGapMs);
    return { kind, channels, allowed, count: Math.round(15 * allowed) };
  });
  const databases = await openDatabases('postgres');
  const figures = await postTo(databases, loads, 'paced');
  await databases.close();
  return loads.map(({ kind, allowed, count }) => {
    const found = figures.find((one) => one.kind === kind);
    return {
      chat: kind,
      arrived: `${found?.arrived} of ${count}`,
      'allowed per second': allowed.toFixed(1),
      'per second': (found?.perSecond ?? 0).toFixed(1),
      ratio: ((found?.perSecond ?? 0) / allowed).toFixed(2),
      'ratio of the first nine in ten': ((found?.perSecondOfMost ?? 0) / allowed).toFixed(2),
    };
  });
}

/** One chat beside another that answers, and beside one that does not: five pairs, in turn. */
export async function measureStall(): Promise<Row[]> {
  const [count, other] = [1000, 'telegram'];
  const databases = await openDatabases('postgres');
  const rows: Row[] = [];
  const ratios: number[] = [];
  for (let pair = 1; pair <= 5; pair += 1) {
    const lags: number[] = [];
    for (const isMute of [false, true]) {
      const loads = [
        { kind: 'slack', count, channels: count },
        { kind: other, count, channels: count, isMute },
      ];
      const figures = await postTo(databases, loads, 'lifted');
      lags.push(figures.find(({ kind }) => kind === 'slack')?.p99 ?? Number.NaN);
    }
    const [without = Number.NaN, beside = Number.NaN] = lags;
    ratios.push(beside / without);
    const ratio = (beside / without).toFixed(2);
    rows.push({ pair, 'p99 without ms': without, 'p99 beside ms': beside, ratio });
  }
  await databases.close();
  const last = { 'p99 without ms': '', 'p99 beside ms': '' };
  return [...rows, { pair: 'median', ...last, ratio: median(ratios).toFixed(2) }];
}

function paceOf(kind: string): Pace {
  const configured = kinds[kind]?.configure('http://127.0.0.1:1');
  const deps = { openGuardedClient: () => ({}) } as unknown as ChatDeps;
  return deliverySettings.paceOf(configured?.open(deps));
}

interface Load {
  kind: string;
  count: number;
  channels: number;
  /** Its stand-in answers no post for a minute. */
  isMute?: boolean;
}

/** One run on a fresh database, each stand-in in a process of its own. */
async function postTo(
  databases: Databases,
  loads: Load[],
  pace: 'lifted' | 'paced',
): Promise<Figures[]> {
  const standins = await Promise.all(loads.map(startStandin));
  const given = loads.map(({ kind, count, channels, isMute }, index) =>
    [kind, standins[index]?.url, count, channels, isMute ? 'mute' : ''].join(','),
  );
  try {
    return await measure('chats/posting.ts', await databases.fresh(), pace, ...given);
  } finally {
    for (const standin of standins) standin.close();
  }
}

async function startStandin({ kind, isMute }: Load): Promise<{ url: string; close(): void }> {
  const main = fileURLToPath(new URL('standin.ts', import.meta.url));
  const child = spawn(process.execPath, [main, kind, isMute ? 'stall' : 'answer'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  for await (const line of createInterface(child.stdout)) {
    return { url: (JSON.parse(line) as { url: string }).url, close: () => child.stdin.end() };
  }
  throw new Error(`the stand-in of ${kind} did not start`);
}
