import type { ConnectionState } from '../../../../shared/banks/states.ts';

/** What a status code of an item means: docs.bridgeapi.io/docs/items-status */
export function stateOf(status: number): ConnectionState {
  return states.get(status) ?? 'unknown';
}

const states = new Map<number, ConnectionState>([
  [0, 'ok'],
  [1009, 'ok'],
  [-2, 'refreshing'],
  [-3, 'refreshing'],
  [402, 'credentials'],
  [429, 'action-at-bank'],
  [430, 'action-at-bank'],
  [1003, 'unreachable'],
  [1005, 'unsupported'],
  [1007, 'suspended'],
  [1099, 'suspended'],
  [1010, 'renew'],
  [1100, 'confirm-accounts'],
]);
