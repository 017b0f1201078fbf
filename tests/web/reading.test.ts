import { describe, expect, it } from 'vitest';
import { loadingState } from '../../src/web/api/loading-state.ts';
import {
  currentHandle,
  lacksAccounts,
  needsAction,
  nextPollMs,
  sortedMessengers,
} from '../../src/web/notifications/messenger-state.ts';
import { messenger } from './messenger.ts';

const init = { status: 'pending', fetchStatus: 'idle' } as const;
const loading = { status: 'pending', fetchStatus: 'fetching' } as const;
const loaded = { status: 'success', fetchStatus: 'idle' } as const;
const failed = { status: 'error', fetchStatus: 'idle' } as const;

describe('a list is', () => {
  it.each([
    ['Init', [init]],
    ['Loading', [loading]],
    ['Loading', [loaded, loading]],
    ['Loaded', [loaded, { ...loaded, fetchStatus: 'fetching' as const }]],
    ['Error', [loaded, failed]],
  ])('%s', (state, readings) => {
    expect(loadingState(readings)).toBe(state);
  });

  it('Loading while a member is written, Error when that failed, Loaded once it was read again', () => {
    const writing = { submittedAt: 1000 };
    expect(loadingState([loaded], { ...writing, status: 'pending' }, 500)).toBe('Loading');
    expect(loadingState([loaded], { ...writing, status: 'success' }, 500)).toBe('Loaded');
    expect(loadingState([loaded], { ...writing, status: 'error' }, 500)).toBe('Error');
    expect(loadingState([loaded], { ...writing, status: 'error' }, 1500)).toBe('Loaded');
  });
});

it('messengers stand in the order of their creation', () => {
  const later = messenger({ id: 'later', createDate: '2026-11-03T08:00:00Z' });
  const first = messenger({ id: 'first', createDate: '2026-11-01T08:00:00Z' });
  expect(sortedMessengers([later, first]).map(({ id }) => id)).toEqual(['first', 'later']);
});

describe('the cards are read again', () => {
  const now = new Date('2026-11-22T07:59:00Z');

  it('just after the next sending is due', () => {
    expect(nextPollMs([messenger()], now)).toBe(61_500);
  });

  it('every few seconds while a sending is overdue, then less and less often', () => {
    const due = messenger({ nextDate: '2026-11-22T07:00:00Z' });
    const late = (ms: number) => new Date(Date.parse('2026-11-22T07:00:00Z') + ms);
    expect(nextPollMs([due], late(2_000))).toBe(3_000);
    expect(nextPollMs([due], late(60_000))).toBe(30_000);
    expect(nextPollMs([due], late(3_600_000))).toBe(300_000);
  });

  it('seldom when nothing is planned', () => {
    expect(nextPollMs([messenger({ nextDate: null })], now)).toBe(300_000);
    expect(nextPollMs([], now)).toBe(300_000);
  });
});

describe('another notification is added', () => {
  const [gone, linked, later] = [
    messenger({ slackBotToken: 'gone', connected: false }),
    messenger({ slackBotToken: 'linked' }),
    messenger({ slackBotToken: 'later' }),
  ];

  it('to the workspace of the first one', () => {
    expect(currentHandle([linked, later])).toBe('linked');
    expect(currentHandle([])).toBeNull();
  });

  it('to that of the first one that is still linked, if any is', () => {
    expect(currentHandle([gone, linked, later])).toBe('linked');
    expect(currentHandle([gone])).toBe('gone');
  });
});

describe('a notification asks for care', () => {
  const pause = {
    reason: 'not_in_channel',
    sentence: 'Le bot a quitté le channel.',
    action: 'choose-channel',
    since: '2026-11-20T08:00:00Z',
  } as const;

  it.each([
    ['without a channel', { slackChannel: null }],
    ['without a text', { message: ' ' }],
    ['when it was paused by a failure', { pause }],
    ['when its bot is gone', { connected: false }],
  ])('%s', (_when, part) => {
    expect(needsAction(messenger(part))).toBe(true);
  });

  it('and not when all is well, nor when its owner paused it', () => {
    expect(needsAction(messenger())).toBe(false);
    expect(needsAction(messenger({ stopped: true }))).toBe(false);
  });
});

describe('a text that says figures and is about no account', () => {
  const banks = {
    connections: [{ state: 'ok' }],
    accounts: [{ id: 7 }],
  } as unknown as Parameters<typeof lacksAccounts>[1];
  const accounts = { scope: 'chosen' as const, chosen: [], includesNew: false };
  const says = (message: string, data = banks) =>
    lacksAccounts(messenger({ message, accounts }), data);

  it('has nothing to say of them', () => {
    expect(says('Bonjour {{soldes}}')).toBe(true);
    expect(says('Bonjour {{ date }}')).toBe(false);
  });

  it('says all the same the balance of an account that it names', () => {
    expect(says('Pro : {{solde:Compte pro}}')).toBe(false);
    expect(says('{{ Solde : Banque/Compte pro }} le {{date}}')).toBe(false);
    expect(says('{{solde:Compte pro}} de {{total}}')).toBe(true);
    expect(says('{{solde:Compte pro}}', { ...banks, accounts: [] })).toBe(true);
  });
});
