import { sql, type Transaction } from 'kysely';
import type { DeliveryFault, FaultListener } from '../notifications/deps.ts';
import { ownCodes } from '../notifications/reasons.ts';
import { records } from '../platform/database/records.ts';
import type { Schema } from '../platform/database/schema.ts';
import { mailBody } from '../platform/mail/mail-body.ts';
import { sendFromOutbox } from '../platform/mail/outbox.ts';
import type { Platform } from '../platform/platform.ts';
import { deletionBefore, historyStart } from '../platform/upkeep.ts';
import { type OperatorMailJob, operatorMailJobs } from './jobs.ts';

type Needed = Pick<Platform, 'configuration' | 'queue'>;

/** Mails the operators about deliveries that failed because of the installation. */
export function createFaultListener(deps: Needed): FaultListener {
  return {
    record: (transaction, faults, now) => mailFaults(deps, transaction, faults, now),
    committed: () => deps.queue.announce(operatorMailJobs),
  };
}

async function mailFaults(
  deps: Needed,
  transaction: Transaction<Schema>,
  given: DeliveryFault[],
  now: Date,
): Promise<void> {
  const { publicUrl } = deps.configuration;
  // The first delivery of each code is named.
  const faults = new Map(given.toReversed().map(({ code, deliveryId }) => [code, deliveryId]));
  const mails = [...faults].sort().map(([code, deliveryId]) => ({
    cause: `fault:${code}`,
    ...faultMail(code, deliveryId, publicUrl),
  }));
  await mailOperators(deps, transaction, mails, now);
}

/**
 * Writes one mail for each address of OPERATOR_EMAILS, cause and day (UTC), whatever the number of calls
 * and workers.
 */
export async function mailOperators(
  { configuration, queue }: Needed,
  transaction: Transaction<Schema>,
  given: { cause: string; subject: string; body: string }[],
  now: Date,
): Promise<void> {
  const recipients = configuration.operatorEmails.toSorted();
  // Every worker inserts in the same order, so that no two of them deadlock.
  const mails = given.flatMap((mail) => recipients.map((recipient) => ({ ...mail, recipient })));
  if (mails.length === 0) return;
  const { rows } = await sql<OperatorMailJob>`
    insert into operator_mails (cause, day, recipient, subject, body, created_at)
    select cause, ${now.toISOString().slice(0, 10)}::date, recipient, subject, body,
      ${now}::timestamptz
    from ${records(mails, 'cause text, recipient text, subject text, body text')}
    on conflict do nothing returning cause, day, recipient`.execute(transaction);
  const jobs = rows.map((data) => ({ data }));
  await queue.insert(transaction, operatorMailJobs, jobs);
}

const unpaused =
  'Les notifications concernées ne sont pas en pause\u202f: le prochain envoi sera tenté à son heure.';
const waiting =
  "La clé (APP_SECRET) n'est pas celle de la base. Remettez la bonne\u202f: les envois l'attendent six heures, puis sont perdus. Si elle est perdue, les messageries sont à relier de nouveau.";

/** In French, plain text. */
function faultMail(code: string, deliveryId: string, publicUrl: string) {
  return {
    subject: `Tirelire\u202f: des envois échouent (${code})`,
    body: mailBody(
      `Un envoi n'est pas arrivé comme prévu, pour une raison que seul l'administrateur peut corriger\u202f: «\u202f${code}\u202f».`,
      `Le journal donne le détail de l'envoi ${deliveryId}. ${code === ownCodes.tokenUnreadable ? waiting : unpaused} En cas de doute\u202f: npm run doctor.`,
      `L'état des envois\u202f: ${publicUrl}/exploitation`,
      "Cet email n'est envoyé qu'une fois par cause et par jour.",
    ),
  };
}

/** Sends one mail to an operator. Throws when the mailer does: the queue tries again. */
export async function sendOperatorMail(
  { database, mailer, clock, log }: Pick<Platform, 'database' | 'mailer' | 'clock' | 'log'>,
  { cause, day, recipient }: OperatorMailJob,
): Promise<void> {
  const update = () =>
    database.sql
      .updateTable('operator_mails')
      .where('cause', '=', cause)
      .where('day', '=', day)
      .where('recipient', '=', recipient);
  const mail = await database.sql
    .selectFrom('operator_mails')
    .select(['subject', 'body'])
    .where('cause', '=', cause)
    .where('day', '=', day)
    .where('recipient', '=', recipient)
    .where('sent_at', 'is', null)
    .executeTakeFirst();
  if (!mail) return;
  const send = () => mailer.send({ key: `${cause} ${day} ${recipient}`, to: recipient, ...mail });
  await sendFromOutbox(send, {
    log: log.child({ cause, day }),
    noteFailure: (failure) => update().set({ failure }).execute(),
  });
  await update().set({ sent_at: clock.now(), failure: null }).execute();
}

export const operatorMailsUpkeep = [
  deletionBefore('operator mails', 'operator_mails', 'created_at', historyStart),
];
