import type { Selectable } from 'kysely';
import type { Deletion, DeletionStepName } from '../../../shared/contract/deletions.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { canMail } from '../../platform/mail/mailer.ts';
import { sha256Hex } from '../../platform/opaque-tokens.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ChatKind } from '../../providers/chats/port.ts';
import { unrevokedWords } from '../../providers/chats/registry.ts';

/** Found by the receipt alone, because the account no longer exists. */
export async function findDeletion(
  { database, configuration }: Pick<Platform, 'database' | 'configuration'>,
  receipt: string,
): Promise<Deletion | null> {
  const row = await database.sql
    .selectFrom('deletions')
    .select(['requested_at', 'data_done_at', 'bank_done_at', 'chat_done_at', 'unrevoked_chats'])
    .where('receipt_hash', '=', sha256Hex(receipt))
    .executeTakeFirst();
  return row ? { ...presentDeletion(row), canMail: canMail(configuration) } : null;
}

export function presentDeletion(
  row: Pick<
    Selectable<Schema['deletions']>,
    'requested_at' | `${DeletionStepName}_done_at` | 'unrevoked_chats'
  >,
): Omit<Deletion, 'canMail'> {
  const steps = stepNames.map((name) => ({
    name,
    doneDate: row[`${name}_done_at`]?.toISOString() ?? null,
    notDone: name === 'chat' ? unrevokedIn(row.unrevoked_chats) : [],
  }));
  const isDone = steps.every(({ doneDate }) => doneDate !== null);
  const doneDates = steps.map(({ doneDate }) => doneDate).sort();
  return {
    requestDate: row.requested_at.toISOString(),
    doneDate: isDone ? (doneDates.at(-1) ?? null) : null,
    steps,
  };
}

function unrevokedIn(chats: ChatKind[]): string[] {
  return chats.flatMap((chat) => unrevokedWords.get(chat) ?? []);
}

const stepNames = ['data', 'bank', 'chat'] as const satisfies DeletionStepName[];
