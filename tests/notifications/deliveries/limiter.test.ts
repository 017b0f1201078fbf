import { describe, expect, it } from 'vitest';
import { Limiter } from '../../../src/server/notifications/deliveries/limiter.ts';
import type { Pace } from '../../../src/server/providers/chats/posting.ts';
import { attempt, begunAt } from './attempts.ts';

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
    expect(returned.at(-1)?.seconds).toBe(9.5);
    // It answers again: its posts have ended, and it is waited for.
    for (const one of mute) limiter.release(one, false);
    limiter.add(crowd('mute', 5));
    expect(limiter.takeAllowed()).toHaveLength(5);
    expect(limiter.backlog).toBe(5);
  });
});
