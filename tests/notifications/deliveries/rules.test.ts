import { describe, expect, it } from 'vitest';
import type {
  Attempt,
  ClaimedDelivery,
} from '../../../src/server/notifications/deliveries/attempt.ts';
import { Limiter } from '../../../src/server/notifications/deliveries/limiter.ts';
import {
  outcomeOf,
  outcomeWithoutPost,
  type UnmovedResult,
} from '../../../src/server/notifications/deliveries/outcome.ts';
import { deliverySettings } from '../../../src/server/notifications/deliveries/settings.ts';
import { reasonOf } from '../../../src/server/notifications/reasons.ts';
import * as email from '../../../src/server/providers/chats/email/words.ts';
import type { Pace, Repeat } from '../../../src/server/providers/chats/posting.ts';
import * as slack from '../../../src/server/providers/chats/slack/words.ts';

const begunAt = new Date('2026-01-12T08:00:00Z');

function attempt(differences: Partial<Attempt> = {}): Attempt {
  return {
    ...{ userId: 'u', messengerId: 'm', localDate: '2026-01-12', sequence: 0, id: 'd' },
    ...{ kind: 'daily', dueAt: begunAt, begunAt, postBy: 10_000 },
    ...{ destinationId: 'w', chat: 'example', teamId: 'T', channelId: 'C', sealedSecret: '' },
    ...{ text: 'Bonjour', data: null, zone: 'Europe/Paris', offsetMinutes: null },
    ...{
      attempts: 1,
      failures: 0,
      resends: 0,
      lostAt: null,
      crossings: null,
      hasTransactions: false,
    },
    ...differences,
  };
}

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
  const chat = { codes: { removed: 'gone', limited: 'full' } };
  const hour = 3_600_000;
  /** As the claim finds it; `after` is how late. */
  const found = (differences: Partial<ClaimedDelivery>, after = 7 * hour) =>
    outcomeWithoutPost(claimedRow(differences), chat, {
      ...{ now: new Date(begunAt.getTime() + after), settings: deliverySettings },
    }).change;

  it.each<[string, Partial<ClaimedDelivery>, string]>([
    ['its owner paused it', { pausedReason: 'paused' }, 'paused'],
    ['the chat had refused it', { pausedReason: 'is_archived' }, 'is_archived'],
    ['the chat let us in no more', { state: 'disconnected' }, 'gone'],
    ['the chat still asks to wait', { blockedSeconds: 60 }, 'full'],
    ['the chat asked to wait until just now', { blockedSeconds: -1 }, 'full'],
    ['the chat did not take it', { attempts: 4, failures: 3 }, 'unreachable'],
    ['we returned it untried', { attempts: 4 }, 'too_late'],
    ['we did not try', {}, 'service_stopped'],
    ['we did not try after a short wait', { blockedSeconds: -2 * 3600 }, 'service_stopped'],
  ])('is missed, and says that %s', (_words, differences, reason) => {
    expect(found(differences, 6 * hour + 30_000)).toMatchObject({ outcome: 'missed', reason });
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
    ...{ attempts: 0, sendingAt: null, isMarked: false },
    ...{
      variables: false,
      draftAccounts: null,
      draftSettings: null,
      pausedReason: null,
      state: 'connected',
    },
    ...{ blockedSeconds: 0, isRepeatable: true, chart: false },
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

describe('the pace of a chat', () => {
  function limiterWith(pace: Partial<Pace>) {
    const time = { ms: 0 };
    const usual = { channelGapMs: 0, perTeam: 100, perSecond: null };
    const limiter = new Limiter({
      paceOf: (chat) => (chat === 'example' ? { ...usual, ...pace } : usual),
      perChat: 20,
      monotonicMs: () => time.ms,
    });
    return { limiter, time };
  }
  const many = (chat: string) =>
    Array.from({ length: 5 }, (_, index) => attempt({ chat, channelId: `C${index}` }));

  it('allows so many posts a second, and holds up no other chat', () => {
    const { limiter, time } = limiterWith({ perSecond: 10 });
    limiter.add([...many('example'), ...many('slack')]);
    expect(limiter.takeAllowed().map(({ chat }) => chat)).toEqual([
      'example',
      ...Array(5).fill('slack'),
    ]);
    time.ms = 99;
    expect(limiter.takeAllowed()).toEqual([]);
    time.ms = 100;
    expect(limiter.takeAllowed()).toHaveLength(1);
  });

  it('allows so many at once for a team', () => {
    const { limiter } = limiterWith({ perTeam: 2 });
    limiter.add([...many('example'), ...many('slack')]);
    const taken = limiter.takeAllowed().map(({ chat }) => chat);
    expect(taken.filter((chat) => chat === 'example')).toHaveLength(2);
    expect(taken.filter((chat) => chat === 'slack')).toHaveLength(5);
  });

  it('posts a test first, whose owner waits', () => {
    const { limiter, time } = limiterWith({ perSecond: 1 });
    const mails = many('example');
    const later = new Date(begunAt.getTime() + 60_000);
    const test = attempt({ kind: 'test', chat: 'example', channelId: 'own', dueAt: later });
    limiter.add(mails.slice(1));
    limiter.add([test, ...mails.slice(0, 1)]);
    expect(limiter.returnExcess().map((returned) => returned.attempt)).not.toContain(test);
    expect(limiter.takeAllowed()).toEqual([test]);
    time.ms = 1000;
    expect(limiter.takeAllowed()).toMatchObject([{ kind: 'daily' }]);
  });

  it('posts nothing that is so late that it is to be returned', () => {
    const { limiter, time } = limiterWith({});
    limiter.add(many('example'));
    time.ms = 10_000;
    expect(limiter.takeAllowed()).toEqual([]);
    expect(limiter.returnExcess()).toHaveLength(5);
  });

  it('keeps a gap in a channel', () => {
    const { limiter, time } = limiterWith({ channelGapMs: 3000 });
    const [first, second] = [attempt(), attempt({ id: 'e' })];
    limiter.add([first, second]);
    expect(limiter.takeAllowed()).toEqual([first]);
    limiter.release(first, false);
    time.ms = 2999;
    expect(limiter.takeAllowed()).toEqual([]);
    time.ms = 3000;
    expect(limiter.takeAllowed()).toEqual([second]);
  });

  it('makes up for passes that come late, up to a quarter of a second', () => {
    const { limiter, time } = limiterWith({ perSecond: 20 });
    const attempts = Array.from({ length: 60 }, (_, at) => attempt({ channelId: `C${at}` }));
    limiter.add(attempts);
    let taken = 0;
    for (time.ms = 0; time.ms < 2000; time.ms += 30) {
      for (const one of limiter.takeAllowed()) {
        limiter.release(one, false);
        taken += 1;
      }
    }
    expect(taken).toBe(40);
    time.ms = 9000;
    expect(limiter.takeAllowed().length).toBeLessThanOrEqual(6);
  });

  it('keeps no more of a chat than it takes in two seconds, so that others are claimed', () => {
    const { limiter } = limiterWith({ perSecond: 2 });
    limiter.add([...many('example'), ...many('example'), ...many('slack')]);
    limiter.takeAllowed();
    const returned = limiter.returnExcess();
    expect(returned.map(({ seconds }) => seconds)).toEqual([2, 2.5, 3, 3.5, 4]);
    expect(limiter.size).toBe(4);
  });
});

describe('a channel with many messages', () => {
  const paced = (channelGapMs: number) =>
    new Limiter({
      paceOf: () => ({ channelGapMs, perTeam: 8, perSecond: null }),
      ...{ perChat: 200, monotonicMs: () => 0 },
    });
  const ofOneChannel = (count: number) => Array.from({ length: count }, () => attempt());

  it.each([
    [1000, 3, [2.5, 3.5, 4.5]],
    [3000, 1, [2.5, 5.5, 8.5, 11.5, 14.5]],
    [20, 6, []],
  ])('keeps what it takes in two seconds, with a gap of %i ms: %i', (gap, kept, seconds) => {
    const limiter = paced(gap);
    limiter.add(ofOneChannel(6));
    expect(limiter.returnExcess().map((returned) => returned.seconds)).toEqual(seconds);
    expect(limiter.size).toBe(kept);
  });
});

describe('a chat that does not answer', () => {
  const crowd = (chat: string, count: number) =>
    Array.from({ length: count }, (_, at) => attempt({ chat, teamId: `T${at}` }));
  const pace = { channelGapMs: 0, perTeam: 8, perSecond: null };

  it('takes its own places alone, and what waits for it neither fills the room nor stays', () => {
    const time = { ms: 0 };
    const paceOf = () => pace;
    const limiter = new Limiter({ paceOf, perChat: 10, monotonicMs: () => time.ms });
    limiter.add([...crowd('mute', 30), ...crowd('slack', 10)]);
    const { slack = [], mute = [] } = Object.groupBy(limiter.takeAllowed(), ({ chat }) => chat);
    expect(slack).toHaveLength(10);
    expect(limiter.backlog).toBe(40);
    time.ms = 51;
    for (const one of slack) limiter.release(one, false);
    expect(limiter.backlog).toBe(0);
    expect(limiter.returnExcess()).toEqual([]);
    // Slow is not silent.
    time.ms = 2500;
    expect(limiter.returnExcess()).toEqual([]);
    time.ms = 3001;
    const returned = limiter.returnExcess();
    expect(returned).toHaveLength(20);
    expect(returned.at(-1)?.seconds).toBe(21.5);
    // It answers again: its posts have ended, and it is waited for.
    for (const one of mute) limiter.release(one, false);
    limiter.add(crowd('mute', 5));
    expect(limiter.takeAllowed()).toHaveLength(5);
    expect(limiter.backlog).toBe(5);
  });
});
