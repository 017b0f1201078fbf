import { presentAccount } from './accounts.ts';
import { applyElapsedDays, refreshedAt } from './items.ts';
import type { Standin } from './standin.ts';
import { accountsOf, type Item } from './state.ts';

/** The order in which Bridge tells of a connection, a new one or a repaired one. */
export function sendRefreshEvents(standin: Standin, item: Item, isNew: boolean): void {
  if (isNew) standin.webhooks.send('item.created', about(item));
  const waitMs = new Date(item.readyAt).getTime() - standin.options.clock.now().getTime();
  const kind = isNew ? 'item.account.created' : 'item.account.updated';
  if (waitMs <= 0) sendRefreshCompleted(standin, item, kind, 'connect');
  else setTimeout(() => sendRefreshCompleted(standin, item, kind, 'connect'), waitMs).unref();
}

/** The daily refreshes between two moments, which no person started. */
export function sendDailyRefreshEvents(standin: Standin, since: Date, now: Date): void {
  const { state, changed } = standin;
  for (const item of Object.values(state.items)) {
    const isNew = applyElapsedDays(state, item, now);
    if (isNew) changed();
    const at = refreshedAt(item, now);
    if (isNew || (at && at > since))
      sendRefreshCompleted(standin, item, 'item.account.updated', 'scheduler');
  }
}

function sendRefreshCompleted(
  standin: Standin,
  item: Item,
  accountEvent: string,
  trigger: 'connect' | 'scheduler',
): void {
  for (const account of accountsOf(standin.state, item.id)) {
    const { id, balance, data_access } = presentAccount(account, item, standin.options.clock.now());
    const access = accountEvent === 'item.account.updated' ? { data_access } : {};
    standin.webhooks.send(accountEvent, { ...about(item), account_id: id, balance, ...access });
  }
  standin.webhooks.send('item.refreshed', {
    ...about(item),
    status_code: item.status,
    // REST says `ok`, deliveries of 2025 said `OK`.
    ...(item.statusInfo !== null && { status_code_info: item.statusInfo.toUpperCase() }),
    full_refresh: false,
    refresh_trigger: trigger,
    account_types: 'payment',
  });
}

function about(item: Item): { item_id: number; user_uuid: string } {
  return { item_id: item.id, user_uuid: item.userUuid };
}
