import type { Static } from 'typebox';
import type { Outcome } from '../../shared/contract/deliveries.ts';

type Ended = Exclude<Static<typeof Outcome>, 'pending'>;

/** By how a delivery has ended: whether the chat may have it. */
const arrivals: Record<Ended, boolean> = {
  delivered: true,
  uncertain: true,
  failed: false,
  missed: false,
  cancelled: false,
};

export function mayHaveArrived(outcome: Ended): boolean {
  return arrivals[outcome];
}

/** After which the chat may have the message. */
export const arrivedOutcomes = endsThat(true);
/** After which it has not. */
export const notArrivedOutcomes = endsThat(false);

function endsThat(arrived: boolean): Ended[] {
  const ends = Object.keys(arrivals) as Ended[];
  return ends.filter((end) => arrivals[end] === arrived);
}
