import { describe, expect, it } from 'vitest';
import type {
  Attempt,
  ClaimedDelivery,
} from '../../../src/server/notifications/deliveries/attempt.ts';
import {
  outcomeOf,
  outcomeWithoutPost,
  type UnmovedResult,
} from '../../../src/server/notifications/deliveries/outcome.ts';
import { deliverySettings } from '../../../src/server/notifications/deliveries/settings.ts';
import { reasonOf } from '../../../src/server/notifications/reasons.ts';
import * as email from '../../../src/server/providers/chats/email/words.ts';
import type { Repeat } from '../../../src/server/providers/chats/posting.ts';
import * as slack from '../../../src/server/providers/chats/slack/words.ts';
import { attempt, begunAt } from './attempts.ts';

describe('a lost answer', () => {
  const lost: UnmovedResult = { end: 'ambiguous', code: 'network_reset' };
  /** Ten seconds without an answer; five more are waited before the next try. */
  const end = (repeat: Repeat, differences: Partial<Attempt> = {}) =>
    outcomeOf(attempt(differences), lost, {
      now: new Date(begunAt.getTime() + 10_000),
      settings: deliverySettings,
      repeat,
    }).change;

  it.each<[Repeat, string, string]>([
    ['safe', 'pending', 'network_reset'],
    [{ withinMs: 30_000 }, 'pending', 'network_reset'],
    [{ withinMs: 14_000 }, 'uncertain', 'unconfirmed'],
    ['never', 'uncertain', 'unconfirmed'],
  ])('with the rule %j is %s', (repeat, outcome, reason) => {
    expect(end(repeat)).toMatchObject({ outcome, reason, isUnposted: false });
  });

  it('is uncertain the second time, whatever the rule', () => {
    for (const repeat of ['safe', { withinMs: 60_000 }, 'never'] as const) {
      expect(end(repeat, { attempts: 2, resends: 1 })).toMatchObject({
        ...{ outcome: 'uncertain', reason: 'answer_lost' },
      });
    }
  });
});

describe('a page that the chat did not write', () => {
  const page: UnmovedResult = {
    ...{ end: 'transient', code: 'http_403', limitScope: null, retryAfterSeconds: null },
    intercepted: true,
  };

  it.each([
    [0, undefined],
    [1, undefined],
    [2, 'http_403'],
  ])('is told to the operator when it stays: after %i others', (failures, fault) => {
    const outcome = outcomeOf(attempt({ attempts: 9, failures }), page, {
      ...{ now: begunAt, settings: deliverySettings, repeat: 'safe' },
    });
    expect(outcome).toMatchObject({ change: { outcome: 'pending', isUnposted: true } });
    expect(outcome.fault).toBe(fault);
  });
});

describe('a delivery that cannot be sent any more', () => {
  const chat = { codes: { removed: 'gone', limited: 'full' }, repeat: 'safe' } as const;
  const hour = 3_600_000;
  /** As the claim finds it; `after` is how late. */
  const found = (differences: Partial<ClaimedDelivery>, after = 7 * hour) =>
    outcomeWithoutPost(claimedRow(differences), chat, {
      ...{ now: new Date(begunAt.getTime() + after), settings: deliverySettings },
    })?.change;

  it.each<[string, Partial<ClaimedDelivery>, string]>([
    ['its owner paused it', { pausedReason: 'paused' }, 'paused'],
    ['the chat had refused it', { pausedReason: 'is_archived' }, 'is_archived'],
    ['the chat let us in no more', { state: 'disconnected' }, 'gone'],
    ['the chat still asks to wait', { blockedSeconds: 60 }, 'full'],
    ['the chat asked to wait until just now', { blockedSeconds: -1 }, 'full'],
    ['the chat did not take it', { attempts: 4, failures: 3 }, 'unreachable'],
    ['its key was away', { failures: 3, lastReason: 'token_unreadable' }, 'token_unreadable'],
    ['we returned it untried', { attempts: 4 }, 'too_late'],
    ['we did not try', {}, 'service_stopped'],
    ['we did not try after a short wait', { blockedSeconds: -2 * 3600 }, 'service_stopped'],
  ])('is missed, and says that %s', (_words, differences, reason) => {
    expect(found(differences, 6 * hour + 30_000)).toMatchObject({ outcome: 'missed', reason });
  });

  it.each([
    [110_000, undefined],
    [181_000, { outcome: 'cancelled', reason: 'test_cancelled' }],
  ])('is a test whose process left it, not one by another clock: %i ms old', (age, end) => {
    const change = found({ kind: 'test' }, age);
    if (end) expect(change).toMatchObject(end);
    else expect(change).toBeUndefined();
  });

  it.each([{ channelId: null }, { text: '' }])('is cancelled without %j', (differences) => {
    expect(found(differences, 0)).toMatchObject({ outcome: 'cancelled', reason: 'incomplete' });
  });

  it.each(['paused', 'unreachable', 'too_late', 'incomplete', 'http_403'])(
    'is not said to be our fault: %s',
    (code) => {
      const { sentence } = reasonOf(undefined, code);
      expect(sentence).not.toBe(reasonOf(undefined, 'a code of tomorrow').sentence);
    },
  );

  it.each([
    ['daily', /^Le message .* erreur de notre côté\.$/],
    ['test', /^Le message d'essai .* Réessayez dans quelques minutes\.$/],
    ['alert', /^L'alerte .* solde .* sera signalé .* un mouvement ne le sera plus\. Consultez /],
    [undefined, /^Le message .* erreur de notre côté\.$/],
  ] as const)('promises no more than what follows our fault: %s', (kind, words) => {
    expect(reasonOf(undefined, 'not_composed', kind).sentence).toMatch(words);
  });

  it.each([
    ['a chat without words of its own', undefined, 'network_refused'],
    ['Slack', slack, 'request_timeout'],
    ['email', email, 'network_reset'],
    ['email that is to wait', email, 'try_later'],
  ])('says of a test, which is tried once, no other try: %s', (_name, chat, code) => {
    const { sentence } = reasonOf(chat, code, 'test');
    expect(sentence).toMatch(/ Réessayez dans quelques minutes\.$/);
    expect(sentence).not.toContain('trop tard');
    expect(reasonOf(chat, code, 'daily').sentence).toMatch(/ jusqu'à ce qu'il soit trop tard/);
  });

  it('says of a secret that no key opens that the fault is ours, and not that the chat refused', () => {
    const { sentence, action } = reasonOf(slack, 'token_unreadable', 'daily');
    expect(sentence).toContain('une erreur de notre côté');
    expect(sentence).not.toContain('Slack');
    // The way out where the key is lost for good.
    expect(action).toBe('reconnect');
  });

  it('names the mail server where it was not reached, and not the chat', () => {
    expect(reasonOf(email, 'network_timeout').sentence).toMatch(/^Le serveur de courrier /);
  });

  it('names the day of the next try where there is one', () => {
    const { sentence } = reasonOf(undefined, 'not_composed', 'daily', 'le 26 novembre');
    expect(sentence).toMatch(/ Nous réessaierons le 26 novembre\.$/);
  });
});

function claimedRow(differences: Partial<ClaimedDelivery>): ClaimedDelivery {
  return {
    ...attempt(),
    ...{ attempts: 0, sendingAt: null },
    ...{
      variables: false,
      draftAccounts: null,
      draftSettings: null,
      pausedReason: null,
      state: 'connected',
    },
    ...{ blockedSeconds: 0, chart: false },
    ...differences,
  };
}

describe('a wait that the chat asks for', () => {
  const limitOf = (limitScope: 'team' | 'channel' | 'service' | null) =>
    outcomeOf(
      attempt(),
      { end: 'transient', code: 'full', limitScope, retryAfterSeconds: 7 },
      { now: begunAt, settings: deliverySettings, repeat: 'safe' },
    );

  it.each([
    ['service', { teamId: '', channelId: '' }],
    ['team', { teamId: 'T', channelId: '' }],
    ['channel', { teamId: 'T', channelId: 'C' }],
  ] as const)('holds the %s', (limitScope, of) => {
    const limit = { chat: 'example', scope: limitScope, seconds: 7, ...of };
    expect(limitOf(limitScope)).toMatchObject({ limit, againAfterSeconds: 7 });
  });

  it.each([
    [5 * 3600, 'pending', 5 * 3600, 5 * 3600],
    [6 * 3600, 'pending', 6 * 3600, 6 * 3600],
    [6 * 3600 + 1, 'missed', 6 * 3600, null],
    [9 * 86_400, 'missed', 6 * 3600, null],
  ])(
    'of %i seconds is obeyed while its message is useful: %s',
    (asked, outcome, seconds, again) => {
      expect(
        outcomeOf(
          attempt(),
          { end: 'transient', code: 'full', limitScope: 'team', retryAfterSeconds: asked },
          { now: begunAt, settings: deliverySettings, repeat: 'safe' },
        ),
      ).toMatchObject({ change: { outcome }, limit: { seconds }, againAfterSeconds: again });
    },
  );

  it('holds nothing where it is none', () => {
    const outcome = limitOf(null);
    expect(outcome.limit).toBeUndefined();
    expect(outcome.againAfterSeconds).toBe(5);
  });
});

describe('the wait after a failure', () => {
  const unavailable: UnmovedResult = {
    ...{ end: 'transient', code: 'http_503', limitScope: null, retryAfterSeconds: null },
  };
  const lost: UnmovedResult = { end: 'ambiguous', code: 'network_reset' };

  it.each([
    [0, 5],
    [1, 15],
    [4, 405],
    [9, 600],
  ])('grows with the failures before, %i, and not with returns: %i s', (failures, seconds) => {
    for (const result of [unavailable, lost]) {
      const outcome = outcomeOf(attempt({ attempts: 19, failures }), result, {
        ...{ now: begunAt, settings: deliverySettings, repeat: 'safe' },
      });
      expect(outcome.againAfterSeconds).toBe(seconds);
    }
  });
});
