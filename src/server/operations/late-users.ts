import { dayMs } from '../../shared/calendar/durations.ts';
import type { BankingDeps } from '../banking/deps.ts';
import type { LateUserJob } from '../banking/jobs.ts';
import { removeUser } from '../banking/source-links/removing-users.ts';
import { inTransaction } from '../platform/database/transactions.ts';
import { mailBody } from '../platform/mail/mail-body.ts';
import { operatorMailJobs } from './jobs.ts';
import { mailOperators } from './operator-mails.ts';

type Needed = Pick<
  BankingDeps,
  'bankSources' | 'database' | 'vault' | 'clock' | 'configuration' | 'queue' | 'log'
>;

/**
 * Removes a user at a source whose account was deleted while they were being registered there. Throws
 * while the source does not, so that the queue tries again; after a day the operator is told.
 */
export async function workOnLateUser(deps: Needed, job: LateUserJob): Promise<void> {
  const { userId, source, providerUserId } = job;
  try {
    await removeUser(deps, source, { userId, providerUserId });
  } catch (error) {
    deps.log.warn({ source, providerUserId, err: error }, 'a late user is not removed yet');
    if (deps.clock.now().getTime() - job.since >= dayMs) await tellOperators(deps, job);
    throw error;
  }
}

async function tellOperators(deps: Needed, job: LateUserJob): Promise<void> {
  const name = deps.bankSources.get(job.source)?.name ?? job.source;
  const cause = `late-user:${job.source}:${nameOf(job)}`;
  await inTransaction(deps.database.sql, (transaction) =>
    mailOperators(deps, transaction, [{ cause, ...lateUserMail(name, job) }], deps.clock.now()),
  );
  deps.queue.announce(operatorMailJobs);
}

/** The source's own id of the user, or ours, which it knows as well. */
function nameOf({ providerUserId, userId }: LateUserJob): string {
  return providerUserId ?? userId;
}

/** In French, plain text. */
function lateUserMail(name: string, job: LateUserJob) {
  return {
    subject: `Tirelire\u202f: un compte supprimé est encore inscrit chez ${name}`,
    body: mailBody(
      `Un compte a été supprimé pendant que ${name} l'inscrivait, et ${name} ne retire pas l'utilisateur «\u202f${nameOf(job)}\u202f».`,
      "Tirelire le redemande toutes les heures pendant une semaine. Ensuite, c'est à vous de le faire retirer. En cas de doute\u202f: npm run doctor.",
      "Cet email n'est envoyé qu'une fois par jour.",
    ),
  };
}
