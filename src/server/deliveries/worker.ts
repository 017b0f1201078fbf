import { sendResetLink } from '../accounts/forgotten.ts';
import { startBankWork } from '../banks/work.ts';
import { startUpkeep } from '../database/upkeep.ts';
import { workOnDeletion } from '../deletions/work.ts';
import { sendMail } from '../mails/outbox.ts';
import { sendOperatorMail } from '../operations/mail-sending.ts';
import type { Parts } from '../parts.ts';
import { keepUp } from '../upkeep/hourly.ts';
import { type DeliveryLimits, deliveryLimits } from './limits.ts';
import { Planner } from './planner.ts';
import { Pump } from './pump.ts';
import { takeUpUnfinished } from './recovery.ts';

export interface Worker {
  /**
   * Stops planning and fetching, finishes what is in flight within ten seconds and gives the rest
   * back. The queue and the database stay open: whoever opened them closes them afterwards.
   */
  stop(): Promise<void>;
}

/** The half of the program that plans and posts. Any number of them may run on PostgreSQL. */
export async function startWorker(
  parts: Parts,
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
