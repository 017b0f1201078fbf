import type { Engine } from '../support/engines.ts';
import type { Installation } from './installation.ts';

/** What the database says, reconciled with what the chat received. */
export interface SoakReport {
  engine: Engine;
  days: number;
  /** Notifications times days: what was due. */
  due: number;
  outcomes: Record<string, number>;
  /** Due, and without a row or an outcome. */
  withoutOutcome: number;
  /** Recorded as sent again. */
  resent: number;
  /** Of these, received twice. */
  doubled: number;
  /** Received more often than recorded. */
  doubledSilently: number;
  /** Said to be delivered, and never received. */
  lost: number;
  /** Said not to have arrived, and received all the same. */
  deniedAndReceived: number;
  /** Requests to the bank service, of which its stand-in remembers a thousand. */
  bankRequests: number;
}

export async function reconcile(
  { database, chat, bank }: Installation,
  days: number,
): Promise<Omit<SoakReport, 'engine' | 'days'>> {
  const messengers = await database.sql.selectFrom('messengers').select('id').execute();
  const rows = await database.sql
    .selectFrom('deliveries')
    .select(['id', 'messenger_id', 'local_date', 'outcome', 'resends'])
    .execute();
  const ended = rows.filter(({ outcome }) => outcome !== 'pending');
  const slots = new Set(ended.map((row) => `${row.messenger_id} ${row.local_date}`));
  const due = messengers.length * days;
  const received = Map.groupBy(chat.control.log(), ([, , , id]) => id);
  const times = ({ id }: { id: string }) => received.get(id)?.length ?? 0;
  const count = (holds: (row: (typeof rows)[number]) => boolean) => rows.filter(holds).length;
  const denied = new Set(['failed', 'missed']);
  return {
    due,
    outcomes: Object.fromEntries(
      [...Map.groupBy(rows, ({ outcome }) => outcome)].map(([name, some]) => [name, some.length]),
    ),
    withoutOutcome: due - slots.size + (rows.length - ended.length),
    resent: count(({ resends }) => resends > 0),
    doubled: count((row) => row.resends > 0 && times(row) === 2),
    doubledSilently: count((row) => times(row) > 1 + row.resends),
    lost: count((row) => row.outcome === 'delivered' && times(row) === 0),
    deniedAndReceived: count((row) => denied.has(row.outcome) && times(row) > 0),
    bankRequests: bank.control.requests().length,
  };
}

/** What the product promises: an outcome for all that was due, and nothing doubled in silence. */
export function isSound(report: SoakReport): boolean {
  const { withoutOutcome, doubledSilently, lost, deniedAndReceived } = report;
  return [withoutOutcome, doubledSilently, lost, deniedAndReceived].every((count) => count === 0);
}
