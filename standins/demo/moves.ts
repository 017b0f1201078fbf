import { lastReadingSeconds } from '../../src/server/notifications/transactions/store.ts';
import { dayMs } from '../../src/shared/calendar/durations.ts';
import type { DemoClock } from './clock.ts';

/** Stopping short of the moment lets the worker meet it on time, as on an ordinary morning. */
const shortOfMs = 1000;
/** Transactions are read in the hour before a sending; by this moment the reading of all has begun. */
const readByMs = lastReadingSeconds * 1000;

/** What a move of the clock needs to know of the product. */
export interface MoveContext {
  clock: DemoClock;
  nextSending(): Promise<Date | null>;
  /** Whether transactions are still to be read for the messages of that sending, which is to come. */
  isReading(sending: Date): Promise<boolean>;
  /** Whether a message that is due has not ended yet. */
  isSending(): Promise<boolean>;
  /** Real time passes: a part of a second. */
  rest(): Promise<void>;
}

/** Rests until a message has ended, and for a whole move: one that is refused is tried for hours. */
const maxRests = { message: 60, move: 300 };

/** Says where the clock went: to a sending, by a day, to a given moment, or nowhere. */
export async function moveClock(
  demo: MoveContext,
  order: { move?: string; to?: string },
): Promise<'sending' | 'day' | 'moment' | 'nowhere'> {
  if (order.move === 'day') {
    await passDay(demo, new Date(demo.clock.now().getTime() + dayMs));
    return 'day';
  }
  if (order.move === 'next-sending') {
    const sending = await demo.nextSending();
    if (!sending) return 'nowhere';
    await playSending(demo, sending, maxRests.message);
    return 'sending';
  }
  const moment = new Date(order.to ?? '');
  if (Number.isNaN(moment.getTime())) return 'nowhere';
  demo.clock.advanceTo(moment);
  return 'moment';
}

/** Each message of the day leaves at its hour, with the balances of that hour. */
async function passDay(demo: MoveContext, end: Date): Promise<void> {
  for (let left = maxRests.move; left > 0; ) {
    const sending = await demo.nextSending();
    if (!sending || sending > end) break;
    left -= await playSending(demo, sending, Math.min(left, maxRests.message));
  }
  demo.clock.advanceTo(end);
}

/**
 * Goes to a sending by way of the readings before it, and waits until its messages have ended. How often
 * it rested.
 */
async function playSending(demo: MoveContext, sending: Date, most: number): Promise<number> {
  demo.clock.advanceTo(new Date(sending.getTime() - readByMs));
  let rests = 0;
  // A bank that stays silent is named in the message.
  while (rests < most && (await demo.isReading(sending))) {
    await demo.rest();
    rests += 1;
  }
  demo.clock.advanceTo(new Date(sending.getTime() - shortOfMs));
  for (let tries = 1; tries <= most; tries += 1) {
    await demo.rest();
    rests += 1;
    const next = await demo.nextSending();
    if (next?.getTime() !== sending.getTime() && !(await demo.isSending())) break;
  }
  return rests;
}
