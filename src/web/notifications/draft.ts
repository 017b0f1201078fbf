import type { Hour, Messenger, MessengerChange } from '../../shared/contract/messengers.ts';

const MESSAGE_LIMIT = 3000;
export const MINUTES = [0, 15, 30, 45] as const;

const settings = ['days', 'pausedUntil', 'stopped', 'holidays', 'accounts', 'chart'] as const;
const names = ['message', 'slackChannel', 'hour', ...settings] as const;
type Settings = Pick<Messenger, (typeof settings)[number]>;

/** What was changed on screen and not saved yet. */
export interface Draft extends Partial<Settings> {
  slackChannel?: string;
  slackChannelName?: string;
  message?: string;
  hour?: Hour;
}

/** What the form shows: the draft over what is saved. */
export interface Values
  extends Settings,
    Pick<
      Messenger,
      'channels' | 'chatName' | 'slackChannel' | 'slackChannelName' | 'message' | 'hour'
    > {}

export function valuesOf(messenger: Messenger, draft: Draft): Values {
  return { ...messenger, ...draft };
}

/** The draft without what equals the saved messenger: that is no change any more. */
export function unsaved(messenger: Messenger, draft: Draft): Draft {
  const changed = names.filter((name) => isChanged(messenger, draft, name));
  const rest: Draft = Object.fromEntries(changed.map((name) => [name, draft[name]]));
  const { slackChannelName } = draft;
  return rest.slackChannel && slackChannelName ? { ...rest, slackChannelName } : rest;
}

function isChanged(messenger: Messenger, draft: Draft, name: (typeof names)[number]): boolean {
  if (draft[name] === undefined) return false;
  if (name === 'hour' && draft.hour) return !isSameHour(draft.hour, messenger.hour);
  return JSON.stringify(draft[name]) !== JSON.stringify(messenger[name]);
}

/** The accounts of a preview or a test, when they are others than the saved ones. */
export function unsavedAccounts(
  messenger: Messenger,
  { accounts }: Values,
): Pick<Draft, 'accounts'> {
  return accounts === messenger.accounts ? {} : { accounts };
}

/** The payload of Valider: what changed, and no hour when the hour was not touched. */
export function changeOf(messenger: Messenger, draft: Draft): MessengerChange {
  const { slackChannelName: _shown, ...change } = unsaved(messenger, draft);
  if (Object.keys(change).length > 0 || messenger.slackChannel === null) return change;
  return { message: messenger.message, slackChannel: messenger.slackChannel };
}

export interface Faults {
  channel: string | null;
  message: string | null;
}

/** Why a notification cannot be sent as it stands, by field; null where there is nothing to say. */
export function faultsOf({
  slackChannel,
  message,
}: Pick<Values, 'slackChannel' | 'message'>): Faults {
  const length = [...message].length;
  return {
    channel: slackChannel === null ? 'Choisissez un channel.' : null,
    message:
      message.trim() === ''
        ? 'Écrivez un message.'
        : length > MESSAGE_LIMIT
          ? `Le message compte ${length} caractères, 3000 au plus.`
          : null,
  };
}

function isSameHour(one: Hour, other: Hour): boolean {
  return (
    one.hours === other.hours &&
    one.minutes === other.minutes &&
    one.zone === other.zone &&
    (one.zone !== null || one.timeZone === other.timeZone)
  );
}
