import type { Selectable } from 'kysely';
import type { Deletion } from '../../../shared/contract/deletions.ts';
import type { Schema } from '../../platform/database/schema.ts';

type Dates = Pick<
  Selectable<Schema['deletions']>,
  'requested_at' | 'data_done_at' | 'bank_done_at' | 'chat_done_at'
>;

export function presentDeletion(row: Dates): Deletion {
  const steps = [
    { name: 'data' as const, doneDate: row.data_done_at },
    { name: 'bank' as const, doneDate: row.bank_done_at },
    { name: 'chat' as const, doneDate: row.chat_done_at },
  ];
  const ends = steps.map(({ doneDate }) => doneDate?.getTime() ?? Number.POSITIVE_INFINITY);
  return {
    requestDate: row.requested_at.toISOString(),
    doneDate: textOf(latest(ends)),
    steps: steps.map(({ name, doneDate }) => ({ name, doneDate: textOf(doneDate) })),
  };
}

function latest(moments: number[]): Date | null {
  const last = Math.max(...moments);
  return Number.isFinite(last) ? new Date(last) : null;
}

function textOf(moment: Date | null): string | null {
  return moment?.toISOString() ?? null;
}
