import type { Operations } from '../../../shared/contract/operations.ts';
import type { OpenDatabase } from '../../platform/database/open.ts';

/** What the mail server has refused, or what nobody has tried to send in time; the oldest first. */
export async function listUnsentMails(
  { sql: database }: OpenDatabase,
  now: Date,
): Promise<Operations['mails']> {
  const rows = await database
    .selectFrom(({ selectFrom }) =>
      selectFrom('mails')
        .select(told)
        .unionAll(selectFrom('operator_mails').select(told))
        .as('all_mails'),
    )
    .select(told)
    .where('sent_at', 'is', null)
    .where(({ eb, or }) =>
      or([
        eb('failure', 'is not', null),
        eb('created_at', '<', new Date(now.getTime() - triedWithinMs)),
      ]),
    )
    .orderBy('created_at')
    .limit(100)
    .execute();
  return rows.map(({ created_at, recipient, subject, failure }) => ({
    createDate: created_at.toISOString(),
    recipient: withoutName(recipient),
    subject,
    failure: failure === null ? null : failure.replaceAll(/[^\s<>@]+(?=@)/g, '…'),
  }));
}

const told = ['created_at', 'recipient', 'subject', 'failure', 'sent_at'] as const;

const triedWithinMs = 10 * 60_000;

/** The domain is what helps to mend; who it was for does not. */
function withoutName(address: string): string {
  return address.replace(/^(.).*(?=@)/u, '$1…');
}
