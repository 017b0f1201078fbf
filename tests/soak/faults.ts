import type { Fault as BankFault } from '../../standins/bridge/faults.ts';
import type { BridgeStandin } from '../../standins/bridge/server.ts';
import type { Fault as ChatFault } from '../../standins/slack/faults.ts';
import type { SlackStandin } from '../../standins/slack/server.ts';

/** Makes the outside fail at random: a few single faults, now and then a storm of one kind. */
export function injectFaults(
  { chat, bank }: { chat: SlackStandin; bank: BridgeStandin },
  random: () => number,
): void {
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T;
  const times = random() < 0.1 ? 60 : 1 + Math.floor(random() * 8);
  if (random() < 0.7) chat.control.addFault({ ...pick(chatFaults), times, method });
  // Whoever asks waits ten seconds for it, of the few minutes that there are.
  if (random() < 0.02) chat.control.addFault({ kind: 'stall', posted: random() < 0.5, method });
  if (random() < 0.5) bank.control.addFault({ ...pick(bankFaults), match: '/v3/', times });
}

const method = 'chat.postMessage';

/** `posted` only where nothing of the answer arrives: what is refused in words was not posted. */
const chatFaults: ChatFault[] = [
  { kind: 'drop', posted: false },
  { kind: 'drop', posted: true },
  { kind: 'status', status: 500, posted: false },
  { kind: 'status', status: 503, posted: true },
  { kind: 'html', posted: true },
  { kind: 'truncated', posted: true },
  { kind: 'truncated', posted: false },
  { kind: 'ratelimited', retryAfter: 1 },
  { kind: 'error', code: 'service_unavailable' },
  { kind: 'error', code: 'internal_error' },
  { kind: 'error', code: 'invalid_arguments' },
  { kind: 'delay', ms: 300 },
];

const bankFaults: BankFault[] = [
  { kind: 'drop' },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 429, headers: { 'retry-after': '1' } },
  { kind: 'html' },
  { kind: 'truncated' },
  { kind: 'delay', ms: 200 },
];
