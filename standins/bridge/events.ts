import type { Standin } from './server.ts';
import { accountsOf, type Item } from './state.ts';

/** The order in which Bridge tells of a connection, a new one or a repaired one. */
export function tellOfRefresh(standin: Standin, item: Item, isNew: boolean): void {
  const about = { item_id: item.id, user_uuid: item.userUuid };
  if (isNew) standin.webhooks.send('item.created', about);
  for (const account of accountsOf(standin.store.state, item.id)) {
    const type = isNew ? 'item.account.created' : 'item.account.updated';
    standin.webhooks.send(type, { ...about, account_id: account.id });
  }
  standin.webhooks.send('item.refreshed', {
    ...about,
    status_code: item.status,
    // REST says `ok`, deliveries of 2025 said `OK`.
    status_code_info: item.statusInfo?.toUpperCase() ?? null,
    full_refresh: false,
    refresh_trigger: 'connect',
    account_types: 'payment',
  });
}
