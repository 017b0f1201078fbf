import { dayMs } from '../service/durations.ts';
import { sendRefreshEvents } from './events.ts';
import { refreshedAt } from './items.ts';
import type { Standin } from './standin.ts';
import { accountsOf, type Item } from './state.ts';

const overdraft = -250.4;

/** What a person makes happen by one press; false where there is no bank that it could happen to. */
export function createScenarios(standin: Standin) {
  const { state, changed, options } = standin;
  const now = () => options.clock.now();
  const healthy = () => Object.values(state.items).findLast(({ status }) => status === 0);
  function tell(item: Item) {
    changed();
    sendRefreshEvents(standin, item, false);
  }
  return {
    endConsent(): boolean {
      const item = healthy();
      if (!item) return false;
      Object.assign(item, {
        refreshedAt: refreshedAt(item, now())?.toISOString() ?? null,
        ...{ status: 1010, statusInfo: 'otp_required', frozen: true, plan: [] },
        authenticationExpiresAt: now().toISOString(),
      });
      tell(item);
      return true;
    },
    overdraw(): boolean {
      const item = healthy();
      const account = item && accountsOf(state, item.id).find(({ shared }) => shared);
      if (!account) return false;
      const balances = { balance: overdraft, accounting_balance: overdraft };
      Object.assign(account.override, balances, { updated_at: now().toISOString() });
      item.refreshedAt = now().toISOString();
      tell(item);
      return true;
    },
    recover(): void {
      for (const item of Object.values(state.items)) {
        const accounts = accountsOf(state, item.id);
        const overdrawn = accounts.filter(({ override }) => override.balance === overdraft);
        if (item.status !== 1010 && overdrawn.length === 0) continue;
        for (const { override } of overdrawn) {
          for (const name of ['balance', 'accounting_balance', 'updated_at']) delete override[name];
        }
        Object.assign(item, {
          refreshedAt: now().toISOString(),
          ...{ status: 0, statusInfo: 'ok', frozen: false },
          authenticationExpiresAt: new Date(now().getTime() + 180 * dayMs).toISOString(),
        });
        tell(item);
      }
    },
  };
}
