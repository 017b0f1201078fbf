import { readStates } from '../banks/states.ts';
import type { MessageAccount, MessageConnection, MessageData } from './figures.ts';

type State = Pick<MessageConnection, 'id' | 'state'>;

/** Nothing new comes from this connection until its person acts. */
export function isWaiting({ state }: Pick<MessageConnection, 'state'>): boolean {
  return waitingWords(state) !== null;
}

/** "en attente de reconnexion", of the account's connection; null when it needs no action. */
export function waitingNote(
  account: MessageAccount,
  connections: MessageData['connections'],
): string | null {
  return waitingWords(stateOf(account, connections))?.note ?? null;
}

/** The same, as short as a cell of a table asks for. */
export function waitingMark(
  account: MessageAccount,
  connections: MessageData['connections'],
): string | null {
  return waitingWords(stateOf(account, connections))?.mark ?? null;
}

/** Its source does not reach the bank any more, and goes on answering with what it had. */
export function isCutOff(account: MessageAccount, connections: readonly State[]): boolean {
  const state = stateOf(account, connections);
  return state !== undefined && !readStates.includes(state);
}

function stateOf({ connectionId }: MessageAccount, connections: readonly State[]) {
  return connections.find(({ id }) => id === connectionId)?.state;
}

function waitingWords(
  state: MessageConnection['state'] | undefined,
): { note: string; mark: string } | null {
  switch (state) {
    case 'credentials':
    case 'renew':
    case 'action-at-bank':
    case 'unknown':
      return { note: 'en attente de reconnexion', mark: 'à reconnecter' };
    case 'confirm-accounts':
      return { note: 'en attente de validation professionnelle', mark: 'à valider' };
    default:
      return null;
  }
}
