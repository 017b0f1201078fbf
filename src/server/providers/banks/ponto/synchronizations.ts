import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientDetails } from '../connect.ts';
import { isRecord } from '../json-fields.ts';
import type { KeyedLimiter } from '../port.ts';
import { pressedTooSoon } from '../pressed-too-soon.ts';
import type { PontoPair } from './accesses.ts';
import { type PontoCaller, PontoRefusal } from './calls.ts';
import { readRow } from './lists.ts';

/** Ponto refuses a second synchronization of an account within five minutes. */
const limit = { most: 1, spanMs: 5 * 60_000 };
/** How long a person who pressed the button waits for the bank; the figures come later otherwise. */
const waitsMs = [200, 500, 1_000, 1_500, 2_000, 2_500];

/**
 * Has Ponto ask the bank for the balances of these accounts at once. Only with a person present, whose
 * real address it passes on: without one, banks count an unattended access, of which they allow four a
 * day. Throws kind `page-limit` when each was synchronized within five minutes, and a failure where none
 * was begun: one that Ponto refuses keeps no other from it.
 */
export async function synchronize(
  { ask }: PontoCaller,
  keyedLimiter: KeyedLimiter,
  pair: PontoPair,
  accountIds: string[],
  { ip }: ClientDetails,
): Promise<void> {
  const settled = await Promise.allSettled(accountIds.map(startOne));
  const ends = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const started = ends.flatMap((end) => ('id' in end ? [end.id] : []));
  const failed = settled.find((one) => one.status === 'rejected');
  if (started.length === 0 && failed) throw failed.reason;
  if (started.length === 0 && ends.length > 0) {
    throw pressedTooSoon(Math.min(...ends.map((end) => ('waitMs' in end ? end.waitMs : 0))));
  }
  // The reading that follows says what Ponto answers now.
  await Promise.allSettled(started.map(awaitEnd));

  async function startOne(accountId: string): Promise<{ id: string } | { waitMs: number }> {
    const key = `synchronization ${pair.clientId} ${accountId}`;
    const waitMs = await keyedLimiter(key, limit);
    if (waitMs > 0) return { waitMs };
    const attributes = {
      ...{ resourceType: 'account', resourceId: accountId, subtype: 'accountDetails' },
      customerIpAddress: ip,
    };
    const body = { data: { type: 'synchronization', attributes } };
    try {
      const path = '/synchronizations';
      return { id: readRow((await ask(pair, { method: 'POST', path, body })).data).id };
    } catch (error) {
      const isRecent =
        error instanceof PontoRefusal && error.code === 'accountRecentlySynchronized';
      if (isRecent) return { waitMs: limit.spanMs };
      await keyedLimiter.giveBack?.(key);
      throw error;
    }
  }

  async function awaitEnd(id: string): Promise<void> {
    for (const waitMs of waitsMs) {
      const path = `/synchronizations/${encodeURIComponent(id)}`;
      const { attributes } = readRow((await ask(pair, { method: 'GET', path })).data);
      // What it ended in is told by the account itself.
      if (isRecord(attributes) && ['success', 'error'].includes(String(attributes.status))) return;
      await sleep(waitMs);
    }
  }
}
