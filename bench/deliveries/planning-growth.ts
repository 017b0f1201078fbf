import { engines } from '../../tests/support/engines.ts';
import { median, type Row } from '../table.ts';
import { measure, openDatabases } from './runs.ts';

/** The median of three runs each. The time grows with the messengers that are due, not with all. */
export async function measurePlanning(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const engine of engines) {
    const few = await planning(engine, 10_000);
    const many = await planning(engine, 1_000_000);
    rows.push({
      engine,
      'of 10,000 (ms)': Math.round(few),
      'of 1,000,000 (ms)': Math.round(many),
      ratio: (many / few).toFixed(2),
    });
  }
  return rows;
}

/** PostgreSQL alone: what it writes for the same deliveries, without history and with it. */
export async function measureHistory(): Promise<Row[]> {
  const databases = await openDatabases('postgres');
  const rows: Row[] = [];
  for (const days of [0, 100]) {
    const { claimed, logMb } = await measure<{ claimed: number; logMb: number }>(
      'history.ts',
      await databases.fresh(),
      'http://127.0.0.1:1',
      days,
    );
    rows.push({ 'days of history': days, deliveries: claimed, 'log MB': logMb.toFixed(1) });
  }
  await databases.close();
  return rows;
}

async function planning(engine: 'postgres' | 'embedded', messengers: number): Promise<number> {
  const times: number[] = [];
  const databases = await openDatabases(engine);
  for (let round = 0; round < 3; round += 1) {
    const { milliseconds, planned } = await measure<{ milliseconds: number; planned: number }>(
      'planning.ts',
      await databases.fresh(),
      'http://127.0.0.1:1',
      messengers,
    );
    if (planned !== 10_000) throw new Error(`planned ${planned}`);
    times.push(milliseconds);
  }
  await databases.close();
  return median(times);
}
