import { sql } from 'kysely';
import { itemStateOf } from '../../../shared/banks/item-states.ts';
import type { Operations } from '../../../shared/contract/operations.ts';
import { reasonOf } from '../../notifications/deliveries/reasons.ts';
import type { OpenDatabase } from '../../platform/database/open.ts';
import { type BankFailure, isBankFailure } from '../../providers/banks/port.ts';

/** Connections in a state that says something to their owner, by bank and state. */
export async function listTroubledBanks({
  sql: database,
}: OpenDatabase): Promise<Operations['banks']> {
  const rows = await database
    .selectFrom('bank_items')
    .select(['bank_id', 'bank_name', 'status'])
    .select(({ fn }) => fn.countAll<number>().as('connections'))
    .groupBy(['bank_id', 'bank_name', 'status'])
    .orderBy('connections', 'desc')
    .execute();
  return rows.flatMap(({ bank_id: id, bank_name: name, status, connections }) => {
    const { sentence, refreshing } = itemStateOf(status, null);
    return sentence && !refreshing ? [{ bank: { id, name }, status, sentence, connections }] : [];
  });
}

export async function listFailedReadings(
  { sql: database }: OpenDatabase,
  since: Date,
): Promise<Operations['readings']> {
  const rows = await database
    .selectFrom('bank_refreshes')
    .select(['failure', ({ fn }) => fn.countAll<number>().as('people')])
    .where('failure', 'is not', null)
    .where('attempted_at', '>=', since)
    .groupBy('failure')
    .orderBy('people', 'desc')
    .execute();
  return rows.map(({ failure, people }) => ({
    kind: failure ?? '',
    sentence: isBankFailure(failure) ? readingSentences[failure] : 'Lecture impossible.',
    people,
  }));
}

const readingSentences: Record<BankFailure, string> = {
  refused:
    'Bridge refuse nos demandes\u202f: vérifiez ses identifiants avec «\u202fnpm run doctor\u202f».',
  unavailable: 'Bridge ne répond pas.',
  limited: "Les limites d'appels de Bridge sont atteintes.",
  'management-limit': "Bridge limite l'ouverture des connexions.",
  'unknown-item': "Une connexion n'existe plus chez Bridge.",
  'unknown-user': 'Bridge ne connaît plus un utilisateur\u202f: il sera inscrit de nouveau.',
};

/** Where a refusal has paused notifications, by workspace and refusal, the oldest first. */
export async function listTroubledWorkspaces({
  sql: database,
}: OpenDatabase): Promise<Operations['workspaces']> {
  const rows = await database
    .selectFrom('messengers')
    .innerJoin('workspaces', (join) =>
      join
        .onRef('workspaces.user_id', '=', 'messengers.user_id')
        .onRef('workspaces.id', '=', 'messengers.workspace_id'),
    )
    .select(['workspaces.team_id', 'messengers.paused_reason'])
    .select(({ fn }) => [
      sql<string>`min(workspaces.team_name)`.as('team_name'),
      fn.countAll<number>().as('notifications'),
      sql<Date>`min(messengers.paused_at)`.as('since'),
    ])
    .where('messengers.paused_at', 'is not', null)
    .groupBy(['workspaces.team_id', 'messengers.paused_reason'])
    .orderBy('since')
    .execute();
  return rows.map(({ team_name: teamName, paused_reason: reason, notifications, since }) => {
    const code = reason ?? 'paused';
    const { sentence } = reasonOf(code);
    return { teamName, code, sentence, notifications, since: since.toISOString() };
  });
}

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
