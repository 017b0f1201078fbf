import { startRemoteChat } from '../../tests/support/remote-chat.ts';
import { leadMs } from '../deliveries/arguments.ts';
import { measure, openDatabases } from '../deliveries/runs.ts';
import { median, type Row } from '../table.ts';
import { literal, short, usual } from './texts.ts';

const accounts = 20;

interface Result {
  perSecond: number;
  cpuSeconds: number;
}

/** `count` people due at one moment, `rounds` times with each text in turn, each on a fresh database. */
export async function measureDeliveries(count: number, rounds: number): Promise<Row[]> {
  const texts = {
    'literal, as long': literal,
    'stored balances': usual,
    'literal, one word': short,
  };
  const results = new Map(Object.keys(texts).map((name) => [name, [] as Result[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, text] of Object.entries(texts)) {
      results.get(name)?.push(await deliver(count, text));
    }
  }
  const rates = [...results].map(([, ofText]) => median(ofText.map((one) => one.perSecond)));
  const [base = 1] = rates;
  return [...results].map(([text, ofText], at) => ({
    text,
    'per second': Math.round(rates[at] ?? 0),
    ratio: ((rates[at] ?? 0) / base).toFixed(2),
    'worker CPU ms each': ((median(ofText.map((one) => one.cpuSeconds)) * 1000) / count).toFixed(2),
  }));
}

async function deliver(count: number, text: string): Promise<Result> {
  const chat = await startRemoteChat(20);
  const databases = await openDatabases('postgres');
  const database = await databases.fresh();
  await measure('fill.ts', database, chat.url, count, text, accounts);
  await chat.forget();
  const moment = Date.now() + leadMs;
  const { cpuSeconds } = await measure<Result>('work.ts', database, chat.url, count, moment);
  const lags = (await chat.arrivals()).map(({ at }) => at - moment).filter((lag) => lag >= 0);
  await databases.close();
  chat.close();
  if (lags.length !== count) throw new Error(`${lags.length} of ${count} were posted`);
  return { perSecond: count / (Math.max(...lags) / 1000), cpuSeconds };
}
