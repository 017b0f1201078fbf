import { useMutation, useQuery } from '@tanstack/react-query';
import type { Alert, AlertList, AlertRule } from '../../../shared/contract/alerts.ts';
import { call, callToDelete } from '../../api/call.ts';
import { useReread } from '../../api/reread.ts';
import { useCachedBankData } from '../../banks/queries.ts';
import { meQuery } from '../../session/me.ts';
import { messengerPath } from '../queries.ts';

const keyOf = (messengerId: string) => ['alerts', messengerId] as const;

function addressOf(messengerId: string, alertId?: string): string {
  const all = `${messengerPath(messengerId)}/alerts`;
  return alertId === undefined ? all : `${all}/${encodeURIComponent(alertId)}`;
}

/**
 * The alerts of a notification, and the accounts that it can watch: they come and go with banks. Read
 * while it is shown.
 */
export function useAlerts(messengerId: string, isShown: boolean) {
  useReread(keyOf(messengerId), useCachedBankData().accounts);
  return useQuery({
    queryKey: keyOf(messengerId),
    queryFn: ({ signal }) => call<AlertList>('GET', addressOf(messengerId), { signal }),
    enabled: isShown,
  });
}

/** The notification too: it may have been deleted elsewhere. */
const changedBy = (messengerId: string) => [keyOf(messengerId), meQuery.queryKey];

/** Adds an alert, or with an id gives one another rule. */
export function useSaveAlert(messengerId: string, alertId?: string) {
  return useMutation({
    mutationFn: (rule: AlertRule) =>
      call<Alert>(alertId === undefined ? 'POST' : 'PATCH', addressOf(messengerId, alertId), {
        body: rule,
      }),
    meta: {
      done: alertId === undefined ? "L'alerte a été ajoutée" : "L'alerte a été modifiée",
      changed: changedBy(messengerId),
    },
  });
}

export function useDeleteAlert(messengerId: string, alertId: string) {
  return useMutation({
    mutationFn: () => callToDelete(addressOf(messengerId, alertId)),
    meta: { done: "L'alerte a été supprimée", changed: changedBy(messengerId) },
  });
}
