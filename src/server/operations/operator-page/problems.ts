import { sql } from 'kysely';
import { dayMs } from '../../../shared/calendar/durations.ts';
import type { Operations } from '../../../shared/contract/operations.ts';
import { publicNameOf } from '../../notifications/chats.ts';
import type { NotificationsDeps } from '../../notifications/deps.ts';
import { ownCodes, reasonOf } from '../../notifications/reasons.ts';
import type { OpenDatabase } from '../../platform/database/open.ts';
import { redactLocalParts } from '../../platform/mail/redaction.ts';
import type { Platform } from '../../platform/platform.ts';
import { type BankFailure, isBankFailure } from '../../providers/banks/failures.ts';
import { noticeOf } from '../../providers/banks/notices.ts';
import type { AppConfiguration } from '../../providers/configuration.ts';

/** Connections in a state that their owner is told about, by bank and state. */
export async function listFailingBanks({
  sql: database,
}: OpenDatabase): Promise<Operations['banks']> {
  const rows = await database
    .selectFrom('bank_connections')
    .select(['bank_id', 'bank_name', 'state', 'status'])
    .select(({ fn }) => fn.countAll<number>().as('connections'))
    .where('gone_at', 'is', null)
    .groupBy(['bank_id', 'bank_name', 'state', 'status'])
    .orderBy('connections', 'desc')
    .execute();
  return rows.flatMap(({ bank_id: id, bank_name: name, state, status, connections }) => {
    const notice = state === 'refreshing' ? null : noticeOf({ state, description: null });
    return notice ? [{ bank: { id, name }, status, sentence: notice.sentence, connections }] : [];
  });
}

/** Of people who are still linked with the source: nothing is read of the others any more. */
export async function listFailedReadings(
  { database, configuration: { bankSources } }: Needed,
  since: Date,
): Promise<Operations['readings']> {
  const names = new Map(bankSources.map(({ kind, name }) => [kind, name]));
  const rows = await database.sql
    .selectFrom('bank_refreshes')
    .innerJoin('bank_links', (join) =>
      join
        .onRef('bank_links.user_id', '=', 'bank_refreshes.user_id')
        .onRef('bank_links.source', '=', 'bank_refreshes.source'),
    )
    .select(['bank_refreshes.source', 'failure', ({ fn }) => fn.countAll<number>().as('people')])
    .where('failure', 'is not', null)
    .where('attempted_at', '>=', since)
    .groupBy(['bank_refreshes.source', 'failure'])
    .orderBy('people', 'desc')
    .execute();
  return rows.map(({ source, failure, people }) => ({
    source,
    kind: failure ?? '',
    sentence: isBankFailure(failure)
      ? readingSentences[failure](names.get(source) ?? source)
      : 'Lecture impossible.',
    people,
  }));
}

type Needed = Pick<Platform, 'database'> & {
  configuration: Pick<AppConfiguration, 'bankSources'>;
};

const readingSentences: Record<BankFailure, (source: string) => string> = {
  refused: (source) =>
    `${source} refuse nos demandes\u202f: vérifiez ses identifiants avec «\u202fnpm run doctor\u202f».`,
  unavailable: (source) => `${source} ne répond pas.`,
  limited: (source) => `${source} nous fait attendre\u202f: ses limites d'appels sont atteintes.`,
  credentials: (source) =>
    `${source} refuse les identifiants d'une personne\u202f: c'est à elle de les renouveler.`,
  'page-limit': (source) => `${source} limite l'ouverture des connexions.`,
  'no-accounts': (source) => `${source} n'a donné aucun compte.`,
  unreadable: () => 'Un fichier ne peut pas être lu.',
  'unknown-connection': (source) => `Une connexion n'existe plus chez ${source}.`,
  'unknown-user': (source) =>
    `${source} ne connaît plus un utilisateur\u202f: rien n'est effacé pour l'instant. Si plusieurs sont touchés, vérifiez ses identifiants avec «\u202fnpm run doctor\u202f».`,
};

/**
 * Paused notifications by destination and reason, the oldest first. Destinations of a chat whose links have
 * one channel are told together, because they are not told apart by a name.
 */
export async function listPausedDestinations({
  database,
  chats,
}: Pick<NotificationsDeps, 'database' | 'chats'>): Promise<Operations['workspaces']> {
  const listed = [...chats].flatMap(([kind, chat]) => (chat.channels === 'listed' ? [kind] : []));
  const team = sql`case when destinations.chat = any(${listed}::text[]) then destinations.team_id end`;
  const rows = await database.sql
    .selectFrom('messengers')
    .innerJoin('destinations', (join) =>
      join
        .onRef('destinations.user_id', '=', 'messengers.user_id')
        .onRef('destinations.id', '=', 'messengers.destination_id'),
    )
    .select(['destinations.chat', 'messengers.paused_reason'])
    .select(({ fn }) => [
      sql<string>`min(destinations.team_name)`.as('team_name'),
      fn.countAll<number>().as('notifications'),
      sql<Date>`min(messengers.paused_at)`.as('since'),
    ])
    .where('messengers.paused_at', 'is not', null)
    .groupBy(['destinations.chat', team, 'messengers.paused_reason'])
    .orderBy('since')
    .execute();
  return rows.map(({ chat, team_name: teamName, paused_reason: reason, notifications, since }) => {
    const code = reason ?? ownCodes.paused;
    const { sentence } = reasonOf(chats.get(chat), code);
    return {
      teamName: publicNameOf({ chats }, chat, teamName),
      ...{ code, sentence, notifications, since: since.toISOString() },
    };
  });
}

/**
 * Mails of the last days that the mail server refused or that were not tried within ten minutes, the newest
 * first.
 */
export async function listUnsentMails(
  { sql: database }: OpenDatabase,
  now: Date,
): Promise<Operations['mails']> {
  const rows = await database
    .selectFrom(({ selectFrom }) =>
      selectFrom('mails')
        .select(shownColumns)
        .unionAll(selectFrom('operator_mails').select(shownColumns))
        .as('all_mails'),
    )
    .select(shownColumns)
    .where('sent_at', 'is', null)
    .where('created_at', '>', shownSince(now))
    .where(({ eb, or }) =>
      or([
        eb('failure', 'is not', null),
        eb('created_at', '<', new Date(now.getTime() - triedWithinMs)),
      ]),
    )
    .orderBy('created_at', 'desc')
    .limit(100)
    .execute();
  return rows.map(({ created_at, recipient, subject, failure }) => ({
    createDate: created_at.toISOString(),
    recipient: withoutName(recipient),
    subject: redactLocalParts(subject),
    failure: failure === null ? null : redactLocalParts(failure),
  }));
}

const shownColumns = ['created_at', 'recipient', 'subject', 'failure', 'sent_at'] as const;

const triedWithinMs = 10 * 60_000;

/** A mail is tried for a day at most: one from before this moment tells nothing of the mail server now. */
function shownSince(now: Date): Date {
  return new Date(now.getTime() - 7 * dayMs);
}

/** How many mails of the same days the mail server has refused. */
export async function countRefusedMails(
  { sql: database }: OpenDatabase,
  now: Date,
): Promise<number> {
  const { rows } = await sql<{ refused: number }>`select
    (select count(*) from mails
      where sent_at is null and failure is not null and created_at > ${shownSince(now)})
    + (select count(*) from operator_mails
      where sent_at is null and failure is not null and created_at > ${shownSince(now)})
    as refused`.execute(database);
  return rows[0]?.refused ?? 0;
}

/** The operator needs the domain to find the cause, not the person. */
function withoutName(address: string): string {
  return address.replace(/^(.).*(?=@)/u, '$1…');
}
