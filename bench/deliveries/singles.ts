import { engines } from '../../tests/support/engines.ts';
import { startRemoteChat } from '../../tests/support/remote-chat.ts';
import type { Row } from '../table.ts';
import { measure, openDatabases, quantile } from './runs.ts';

/** The time from the moment at which a message is due to the arrival of its post at the chat. */
export async function measureSingle(): Promise<Row[]> {
  const chat = await startRemoteChat(0);
  const rows: Row[] = [];
  for (const engine of engines) {
    const databases = await openDatabases(engine);
    await chat.forget();
    const { moments } = await measure<{ moments: number[] }>(
      'single.ts',
      await databases.fresh(),
      chat.url,
      150,
    );
    await databases.close();
    const arrivals = (await chat.arrivals()).map(({ at }) => at).sort((a, b) => a - b);
    const lags = arrivals.map((at, index) => at - (moments[index] ?? 0)).sort((a, b) => a - b);
    rows.push({
      engine,
      posted: `${arrivals.length} of ${moments.length}`,
      'lag p50 ms': quantile(lags, 0.5).toFixed(1),
      'lag p99 ms': quantile(lags, 0.99).toFixed(1),
      'lag max ms': (lags.at(-1) ?? Number.NaN).toFixed(1),
    });
  }
  chat.close();
  return rows;
}
