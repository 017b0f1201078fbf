import type { LocalZone } from '../../../shared/calendar/local-date.ts';
import type { MessageBlock } from '../../../shared/contract/messages.ts';
import type { Pause } from '../../../shared/contract/messengers.ts';

export interface OutgoingMessage {
  channelId: string;
  /**
   * As its author typed it, in the notation of `shared/message/spans.ts`: a chat with another one
   * prints what `parseSpans` makes of it. A mention in it must notify no one.
   */
  text: string;
  /** The same, to be drawn; the text is then what notifications and screen readers say. */
  blocks?: MessageBlock[];
  /** It tells what an alert found: a chat with subjects says so in them. */
  isAlert?: true;
  /** To be drawn below, by a chat that says `charts`. */
  charts?: Chart[];
  /** Of its notification, which names its day by it; none for a trial, which belongs to none. */
  localZone?: LocalZone;
  /** A UUID that stays the same when the message is sent again. */
  clientMessageId: string;
}

/** The sums of accounts of one currency over some days, the oldest first: two points at least. */
export interface Chart {
  /** ISO 4217. */
  currency: string;
  /** `day` is YYYY-MM-DD; `value` in the main unit of the currency. */
  points: { day: string; value: number }[];
}

/** How a post ended. */
export type PostResult =
  | {
      end: 'posted';
      /** The chat's own id of the message. */
      receipt: string | null;
      /** `shown`: it stands in the channel. `accepted`: the chat only promised it. */
      certainty: 'shown' | 'accepted';
      /** The code with which the chat refused the blocks: the text was then posted without them. */
      refusedBlocks?: string;
    }
  /** The user must act. */
  | { end: 'permanent'; kind: 'installation' | 'permission' | 'channel'; code: string }
  /** The channel has another id now, and its team too where `teamId` says so: nothing was posted. */
  | { end: 'moved'; channelId: string; teamId?: string }
  /** What we sent is wrong. */
  | { end: 'fault'; code: string }
  /** Nothing was posted, and trying again later is useful. */
  | {
      end: 'transient';
      code: string;
      /** What the chat asks to wait; null when it asks for no wait. */
      limitScope: LimitScope | null;
      /** Whole seconds, rounded up; null when the chat does not say. */
      retryAfterSeconds: number | null;
      /** Something between us and the chat answered in its place: only the operator can mend it. */
      intercepted?: true;
    }
  /** No usable answer: it may stand in the chat. */
  | { end: 'ambiguous'; code: string };

/**
 * Whose messages wait when the chat says that there are too many: this channel's, this team's, or all.
 */
export type LimitScope = 'team' | 'channel' | 'service';

/**
 * Whether a message whose answer was lost may be sent once more: at any time (`safe`), only so long
 * after the lost try began, or never.
 */
export type Repeat = 'safe' | { withinMs: number } | 'never';

/** How fast one process posts. */
export interface Pace {
  /** Between two messages in one channel. */
  channelGapMs: number;
  /** Posts in flight at once for one team. */
  perTeam: number;
  /** Posts begun in a second, of all teams; null without such a limit. */
  perSecond: number | null;
}

/** Why a delivery did not arrive, in French, and the one action that mends it when the user can. */
export interface Reason {
  /** A whole sentence, or two: what happened, and what to do. */
  sentence: string;
  /** What a test says instead: it is tried once, whatever the chat answers. */
  sentenceOfTest?: string;
  action: Pause['action'];
}
