import type { Generated } from 'kysely';
import type { Moment, MomentOrNull } from './columns.ts';

export interface AlertTables {
  /** What a notification tells of between two daily messages. */
  alerts: {
    user_id: string;
    id: string;
    messenger_id: string;
    /** Null for the total of the accounts that the notification covers, in this currency. */
    account_id: number | null;
    currency: string;
    /** A balance that falls under an amount, or two successive figures further apart than it. */
    kind: 'below' | 'movement';
    amount_minor: number;
    /** Of kind `below`: the next figure under the amount is told. Null before the first figure. */
    armed: boolean | null;
    /** Of kind `below`: what the balance or the total was at the last evaluation. */
    last_minor: number | null;
    crossed_at: MomentOrNull;
    /** When the newest of its erased crossings was found of which a message may have arrived. */
    told_at: MomentOrNull;
    created_at: Moment;
    updated_at: Moment;
  };
  /** The last figure of each account that an alert was evaluated with. */
  alert_figures: {
    user_id: string;
    alert_id: string;
    account_id: number;
    balance_minor: number;
    /** Null when the bank did not say. */
    as_of: MomentOrNull;
  };
  /**
   * Figures that were read, in the order in which they were stored, until the alerts were evaluated with
   * them.
   */
  alert_readings: {
    id: Generated<number>;
    user_id: string;
    /** The same for all figures of one reading. */
    reading: string;
    account_id: number;
    balance_minor: number;
    currency: string;
    /** As of when the bank gave it, not later than the reading. */
    as_of: Moment;
  };
  /** What is told once: at once, or in the summary of the next morning. */
  alert_crossings: {
    id: Generated<number>;
    user_id: string;
    alert_id: string;
    messenger_id: string;
    /** Null for a total. */
    account_id: number | null;
    /** The alert's amount at that time. */
    amount_minor: number;
    balance_minor: number;
    /** The difference from the figure before; null for a balance that fell under the amount. */
    change_minor: number | null;
    currency: string;
    /** How many accounts the figure is the sum of. */
    accounts: number;
    /**
     * As of when the bank gave the figure; of a total, the oldest of them; null where one has no date.
     */
    as_of: MomentOrNull;
    /** The day it was found on, YYYY-MM-DD in the notification's zone. */
    local_date: string;
    /** The moment of the summary that it waits for; null for one that was told at once. */
    release_at: MomentOrNull;
    /** The public id of the delivery that tells it; null while it waits. */
    delivery_id: string | null;
    created_at: Moment;
  };
}
