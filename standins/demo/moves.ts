import type { DemoClock } from './clock.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** Stopping short of the moment lets the worker meet it on time, as on an ordinary morning. */
const shortOfMs = 1000;

/** Says where the clock went: to a sending, by a day, to a given moment, or nowhere. */
export async function moveClock(
  demo: { clock: DemoClock; nextSending(): Promise<Date | null> },
  order: { move?: string; to?: string },
): Promise<'sending' | 'day' | 'moment' | 'nowhere'> {
  if (order.move === 'day') {
    demo.clock.advanceTo(new Date(demo.clock.now().getTime() + dayMs));
    return 'day';
  }
  if (order.move === 'next-sending') {
    const sending = await demo.nextSending();
    if (!sending) return 'nowhere';
    demo.clock.advanceTo(new Date(sending.getTime() - shortOfMs));
    return 'sending';
  }
  const moment = new Date(order.to ?? '');
  if (Number.isNaN(moment.getTime())) return 'nowhere';
  demo.clock.advanceTo(moment);
  return 'moment';
}
