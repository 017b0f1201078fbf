import type { DataExport } from '../../../shared/contract/exports.ts';
import type { Platform } from '../../platform/platform.ts';
import { balancePages, deliveryPages } from './histories.ts';
import { readKept } from './kept.ts';

type Histories = 'balances' | 'deliveries';

/**
 * A `DataExport` as the text of its JSON, piece by piece: years of deliveries of thousands of
 * notifications are never in memory at once.
 */
export async function* exportPieces(
  deps: Pick<Platform, 'database' | 'clock'>,
  ownerId: string,
): AsyncGenerator<string> {
  const kept: Omit<DataExport, Histories> = await readKept(deps, ownerId);
  yield JSON.stringify(kept).slice(0, -1);
  yield* list('balances', balancePages(deps, ownerId));
  yield* list('deliveries', deliveryPages(deps, ownerId));
  yield '}\n';
}

async function* list<Name extends Histories>(
  name: Name,
  pages: AsyncIterable<DataExport[Name]>,
): AsyncGenerator<string> {
  let separator = `,"${name}":[`;
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield separator + JSON.stringify(page).slice(1, -1);
    separator = ',';
  }
  yield separator === ',' ? ']' : `${separator}]`;
}
