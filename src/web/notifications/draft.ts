import { addDays } from '../../shared/calendar/local-date.ts';
import { maxMessageLength } from '../../shared/contract/bounds.ts';
import type {
  Hour,
  Messenger,
  MessengerChange,
  TestMessage,
} from '../../shared/contract/messengers.ts';
import { dayAt, type HourZone, longDay } from '../time/calendar.ts';

export const minuteChoices = [0, 15, 30, 45] as const;

const settings = [
  ...(['days', 'pausedUntil', 'stopped', 'holidays'] as const),
  ...(['accounts', 'chart', 'attention', 'operations'] as const),
] as const;

/** What a message that was never written proposes: the total, its change, and every account. */
export const proposedMessage =
  'Bonjour, voici le point du {{date}}.\nTotal\u202f: *{{total}}*, {{variation}}\n{{soldes}}';

const names = ['message', 'slackChannel', 'hour', ...settings] as const;
type Settings = Pick<Messenger, (typeof settings)[number]>;

/** What was changed on screen and not saved yet. */
export interface Draft extends Partial<Settings> {
  slackChannel?: string;
  slackChannelName?: string;
  message?: string;
  hour?: Hour;
  /** The accounts that were on screen since `accounts` was changed: any other is a new one. */
  shown?: readonly number[];
}

/** What the form shows: the draft over what is saved. */
export interface Values
  extends Settings,
    Pick<
      Messenger,
      | 'channels'
      | 'chatName'
      | 'placePhrase'
      | 'slackChannel'
      | 'slackChannelName'
      | 'message'
      | 'hour'
    > {}

export function valuesOf(messenger: Messenger, draft: Draft): Values {
  return { ...messenger, message: textOf(messenger), ...draft };
}

/** The saved text, or the one that is proposed for it. */
function textOf({ message }: Pick<Messenger, 'message'>): string {
  return message || proposedMessage;
}

/** The draft without what equals the saved messenger: that is no change any more. */
export function unsavedChanges(messenger: Messenger, draft: Draft): Draft {
  const changed = names.filter((name) => isChanged(messenger, draft, name));
  const rest: Draft = Object.fromEntries(changed.map((name) => [name, draft[name]]));
  const { slackChannelName, shown } = draft;
  return {
    ...rest,
    ...(rest.slackChannel && slackChannelName && { slackChannelName }),
    ...(rest.accounts && shown && { shown }),
  };
}

/**
 * The draft after accounts came or left since. What left with its bank has no box, and cannot be saved;
 * what came is chosen where new accounts are to be.
 */
export function withLinkedAccounts(draft: Draft, linked: readonly { id: number }[]): Draft {
  const { accounts, shown } = draft;
  if (!accounts) return draft;
  const ids = linked.map(({ id }) => id);
  const added = ids.filter((id) => !shown?.includes(id));
  const included = shown && accounts.scope === 'chosen' && accounts.includesNew ? added : [];
  const left = accounts.chosen.filter((id) => ids.includes(id));
  if (shown && added.length === 0 && left.length === accounts.chosen.length) return draft;
  const chosen = [...new Set([...left, ...included])].toSorted((one, other) => one - other);
  return { ...draft, accounts: { ...accounts, chosen }, shown: [...(shown ?? []), ...added] };
}

/**
 * The draft after one more change. While a save is under way a value that equals the saved one stays:
 * it is a change again once that save has ended.
 */
export function patchDraft(
  messenger: Messenger,
  draft: Draft,
  patch: Draft,
  saving: boolean,
): Draft {
  const next = { ...draft, ...patch };
  return saving ? next : unsavedChanges(messenger, next);
}

/** The draft once the sending was resumed: what was chosen of a pause before goes with the one that ended. */
export function withoutPause(draft: Draft): Draft {
  const { stopped: _stopped, pausedUntil: _pausedUntil, ...rest } = draft;
  return rest;
}

function isChanged(messenger: Messenger, draft: Draft, name: (typeof names)[number]): boolean {
  if (draft[name] === undefined) return false;
  if (name === 'message') return draft.message !== textOf(messenger);
  if (name === 'hour' && draft.hour) return !isSameHour(draft.hour, messenger.hour);
  return JSON.stringify(draft[name]) !== JSON.stringify(messenger[name]);
}

/** What a preview or a test says beside the text, where it is another choice than the saved one. */
export function unsavedChoices(
  messenger: Messenger,
  { accounts, attention, operations, chart }: Values,
): Pick<TestMessage, 'accounts' | 'attention' | 'operations' | 'chart'> {
  return {
    ...(accounts !== messenger.accounts && { accounts }),
    ...(attention !== messenger.attention && { attention }),
    ...(operations !== messenger.operations && { operations }),
    ...(chart !== messenger.chart && chart !== null && { chart }),
  };
}

/**
 * The payload of Valider: what changed, and no hour when the hour was not touched. `linked` are the
 * accounts that are linked now.
 */
export function changeOf(
  messenger: Messenger,
  draft: Draft,
  linked?: readonly { id: number }[],
): MessengerChange {
  const { slackChannelName: _name, shown, ...unsavedChange } = unsavedChanges(messenger, draft);
  const { accounts } = unsavedChange;
  // Of an account whose bank is away the server keeps what was chosen before.
  const isLinked = (id: number) => !linked || linked.some((account) => account.id === id);
  // What is proposed is written by the first save.
  const proposed = messenger.message === '' ? { message: proposedMessage } : {};
  const change = {
    ...proposed,
    ...unsavedChange,
    ...(accounts && shown && { accounts: { ...accounts, shown: shown.filter(isLinked) } }),
  };
  if (Object.keys(change).length > 0 || messenger.slackChannel === null) return change;
  return { message: messenger.message, slackChannel: messenger.slackChannel };
}

export interface Faults {
  channel: string | null;
  message: string | null;
  accounts: string | null;
  pause: string | null;
}

export const noFaults: Faults = { channel: null, message: null, accounts: null, pause: null };

/**
 * Why a notification cannot be saved as it stands, by field; null where there is nothing to say, and
 * empty where the field is only marked.
 */
export function faultsOf(
  values: Pick<Values, 'slackChannel' | 'message' | 'pausedUntil' | 'hour'>,
  now: Date,
): Faults {
  const { slackChannel, message, pausedUntil, hour } = values;
  const length = [...message].length;
  const first = firstResumption(hour, now);
  return {
    channel: slackChannel === null ? 'Choisissez un channel.' : null,
    message:
      message.trim() === ''
        ? 'Écrivez un message.'
        : length > maxMessageLength
          ? `Le message compte ${length} caractères, 3\u202f000 au plus.`
          : null,
    accounts: null,
    pause:
      pausedUntil !== null && pausedUntil < first
        ? `Choisissez un jour à venir, à partir du ${longDay(first)}.`
        : null,
  };
}

/** The fields that a change touches: what the server said of them is over. */
export function clearedFaults(patch: Draft): Partial<Faults> {
  const touched = Object.keys(patch).map((name) => faultNames[name]);
  return Object.fromEntries(touched.flatMap((name) => (name ? [[name, null]] : [])));
}

/** Where the faults of a field stand, by its name in the API. */
export const faultNames: Partial<Record<string, keyof Faults>> = {
  slackChannel: 'channel',
  message: 'message',
  accounts: 'accounts',
  pausedUntil: 'pause',
};

/** Tomorrow where the notification lives, YYYY-MM-DD: the first day on which a pause can end. */
export function firstResumption(hourZone: HourZone, now: Date): string {
  return addDays(dayAt(now, hourZone), 1);
}

function isSameHour(one: Hour, other: Hour): boolean {
  return (
    one.hours === other.hours &&
    one.minutes === other.minutes &&
    one.zone === other.zone &&
    (one.zone !== null || one.timeZone === other.timeZone)
  );
}
