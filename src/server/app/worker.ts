import { lateUserJobs } from '../banking/jobs.ts';
import { startBankWork } from '../banking/refreshing/work.ts';
import { startConsentReminders } from '../banking/reminders/reminders.ts';
import { startStatementFolders } from '../banking/statements/folders/work.ts';
import { sendResetLink } from '../identity/accounts/passwords.ts';
import { forgottenPasswordJobs, mailJobs } from '../identity/jobs.ts';
import { sendMail } from '../identity/mails/outbox.ts';
import { startAlertWork } from '../notifications/alerts/work.ts';
import { Dispatcher } from '../notifications/deliveries/dispatcher.ts';
import { type DeliverySettings, deliverySettings } from '../notifications/deliveries/settings.ts';
import { startPolling } from '../notifications/linking/invitations/polling.ts';
import { startBankTransactionsWork } from '../notifications/transactions/work.ts';
import { operatorMailJobs, upkeepJobs } from '../operations/jobs.ts';
import { workOnLateUser } from '../operations/late-users.ts';
import { sendOperatorMail } from '../operations/operator-mails.ts';
import { startDatabaseUpkeep } from '../operations/upkeep/database.ts';
import { runHourlyUpkeep } from '../operations/upkeep/hourly.ts';
import { noWatchdog, type Watchdog } from '../platform/watchdog.ts';
import { workOnDeletion } from '../privacy/deletion/work.ts';
import { deletionJobs } from '../privacy/jobs.ts';
import type { Services } from './services.ts';

export interface Worker {
  /**
   * Claims and fetches no more, finishes work in flight within ten seconds and returns the rest. The
   * queue and the database stay open.
   */
  stop(): Promise<void>;
}

/** Sends what is due and runs the background jobs. Several workers can share a PostgreSQL database. */
export async function startWorker(
  services: Services,
  settings: DeliverySettings = deliverySettings,
  watchdog: Watchdog = noWatchdog,
): Promise<Worker> {
  const { queue } = services;
  queue.work(mailJobs, (mail) => sendMail(services, mail), concurrency);
  queue.work(forgottenPasswordJobs, (job) => sendResetLink(services, job), concurrency);
  queue.work(operatorMailJobs, (mail) => sendOperatorMail(services, mail), concurrency);
  queue.work(lateUserJobs, (job) => workOnLateUser(services, job), concurrency);
  queue.work(deletionJobs, (job) => workOnDeletion(services, job), concurrency);
  queue.work(upkeepJobs, () => runHourlyUpkeep(services));
  await queue.schedule(upkeepJobs, '17 * * * *');
  const banks = startBankWork(services);
  const reminders = startConsentReminders(services);
  const folders = startStatementFolders(services);
  const transactions = startBankTransactionsWork(services);
  const upkeep = startDatabaseUpkeep({ ...services, watchdog });
  const dispatcher = new Dispatcher(services, settings);
  const alerts = startAlertWork(services, settings);
  const polling = startPolling(services);
  return {
    async stop() {
      await Promise.all([
        dispatcher.stop(patienceMs),
        banks.stop(),
        reminders.stop(),
        folders.stop(),
        alerts.stop(),
        transactions.stop(),
        polling.stop(),
        upkeep.stop(),
        queue.stopWork(),
      ]);
    },
  };
}

const patienceMs = 10_000;

/** Jobs of one kind at a time. */
const concurrency = 5;
