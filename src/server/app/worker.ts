import { startBankWork } from '../banking/work.ts';
import { sendResetLink } from '../identity/accounts/forgotten.ts';
import { Pump } from '../notifications/deliveries/dispatcher.ts';
import { type DeliveryLimits, deliveryLimits } from '../notifications/deliveries/limits.ts';
import { Planner } from '../notifications/deliveries/planner.ts';
import { takeUpUnfinished } from '../notifications/deliveries/recovery.ts';
import type { NotificationsDeps } from '../notifications/deps.ts';
import { sendOperatorMail } from '../operations/overview/mail-sending.ts';
import { startUpkeep } from '../operations/upkeep/database.ts';
import { keepUp } from '../operations/upkeep/hourly.ts';
import { sendMail } from '../platform/mail/outbox.ts';
import { workOnDeletion } from '../privacy/deletion/work.ts';

export interface Worker {
  /**
   * Stops planning and fetching, finishes what is in flight within ten seconds and gives the rest
   * back. The queue and the database stay open: whoever opened them closes them afterwards.
   */
  stop(): Promise<void>;
}

/** The half of the program that plans and posts. Any number of them may run on PostgreSQL. */
export async function startWorker(
  parts: NotificationsDeps,
  limits: DeliveryLimits = deliveryLimits,
): Promise<Worker> {
  await takeUpUnfinished(parts);
  await parts.queue.work('mails', (mail) => sendMail(parts, mail), together);
  await parts.queue.work('forgotten-passwords', (job) => sendResetLink(parts, job), together);
  await parts.queue.work('operator-mails', (mail) => sendOperatorMail(parts, mail), together);
  await parts.queue.work('deletions', (job) => workOnDeletion(parts, job), together);
  await parts.queue.work('upkeep', () => keepUp(parts));
  await parts.queue.schedule('upkeep', '17 * * * *');
  const banks = await startBankWork(parts);
  const upkeep = startUpkeep(parts);
  const planner = new Planner(parts, limits);
  const pump = new Pump(parts, limits);
  return {
    async stop() {
      await Promise.all([planner.stop(), pump.stop(patienceMs), banks.stop(), upkeep.stop()]);
    },
  };
}

const patienceMs = 10_000;

/** Of one kind at a time. One by one, each would wait for the next look at the queue. */
const together = 5;
