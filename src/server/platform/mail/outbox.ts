import type { Logger } from 'pino';
import type { JobSettings } from '../queue/job-kind.ts';
import { redactAddresses } from './redaction.ts';

/** Of the jobs that send the mails of an outbox: a table of mails that wait for the mail server. */
export const outboxJobSettings: JobSettings = {
  // Longer than a mail server is waited for.
  expireInSeconds: 180,
  retryLimit: 10,
  retryDelay: 30,
  retryBackoff: true,
  deleteAfterSeconds: 3600,
};

/**
 * Sends a mail of an outbox. Where that fails, gives the reason to `noteFailure` and throws: the queue tries
 * again. It stores the message of the error, also after the person's account was deleted, so that there is
 * no address in it.
 */
export async function sendFromOutbox(
  send: () => Promise<void>,
  { log, noteFailure }: { log: Logger; noteFailure(failure: string): Promise<unknown> },
): Promise<void> {
  try {
    await send();
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    const words = redactAddresses(failure);
    log.warn({ failure: words }, 'a mail was not taken');
    await noteFailure(failure);
    throw new Error(words);
  }
}
