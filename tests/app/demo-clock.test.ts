import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDemoClock } from '../../standins/demo/clock.ts';
import { type MoveContext, moveClock } from '../../standins/demo/moves.ts';

let folder: string;
let machine: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tirelire-clock-'));
  machine = Date.parse('2026-03-02T07:00:00Z');
});
afterEach(() => rmSync(folder, { recursive: true }));

function open() {
  return openDemoClock(join(folder, 'demo/clock.json'), () => machine);
}

describe('the clock of the demonstration', () => {
  test('is the machine’s until someone moves it, and goes on ticking afterwards', () => {
    const clock = open();
    expect(clock.now().toISOString()).toBe('2026-03-02T07:00:00.000Z');
    clock.advanceTo(new Date('2026-03-03T08:00:00Z'));
    machine += 1500;
    expect(clock.now().toISOString()).toBe('2026-03-03T08:00:01.500Z');
  });

  test('never goes back', () => {
    const clock = open();
    clock.advanceTo(new Date('2026-03-01T00:00:00Z'));
    expect(clock.now().toISOString()).toBe('2026-03-02T07:00:00.000Z');
  });

  test('stays ahead when the demonstration is started again', () => {
    open().advanceTo(new Date('2026-03-09T07:00:00Z'));
    machine += 60_000;
    expect(open().now().toISOString()).toBe('2026-03-09T07:01:00.000Z');
  });
});

/** A product whose sendings leave once the clock has passed them, and a machine whose time goes on. */
function moveContext(sendings: string[]): MoveContext & { left: string[] } {
  const clock = open();
  const left: string[] = [];
  return {
    clock,
    left,
    nextSending: async () => (sendings[0] ? new Date(sendings[0]) : null),
    isReading: async () => false,
    isSending: async () => false,
    rest: async () => {
      machine += 1000;
      while (sendings[0] && new Date(sendings[0]) <= clock.now()) {
        left.push(`${sendings.shift()} at ${clock.now().toISOString()}`);
      }
    },
  };
}

describe('its buttons', () => {
  test('stop a second short of the next sending, so that it happens on time', async () => {
    const demo = moveContext(['2026-03-02T08:00:00Z']);
    expect(await moveClock(demo, { move: 'next-sending' })).toBe('sending');
    expect(demo.left).toEqual(['2026-03-02T08:00:00Z at 2026-03-02T08:00:00.000Z']);
  });

  test('wait in the hour before a sending until what its messages tell is read', async () => {
    const demo = moveContext(['2026-03-02T08:00:00Z', '2026-03-03T08:00:00Z']);
    const readings: string[] = [];
    let left = 0;
    const isReading = async (sending: Date) => {
      const isNext = readings.at(-1)?.startsWith(sending.toISOString());
      if (!isNext) left = 3;
      readings.push(`${sending.toISOString()} at ${demo.clock.now().toISOString()}`);
      left -= 1;
      return left > 0;
    };
    await moveClock({ ...demo, isReading }, { move: 'next-sending' });
    expect(readings).toEqual(
      ['07:58:30', '07:58:31', '07:58:32'].map(
        (time) => `2026-03-02T08:00:00.000Z at 2026-03-02T${time}.000Z`,
      ),
    );
    expect(demo.left).toEqual(['2026-03-02T08:00:00Z at 2026-03-02T08:00:00.000Z']);
    await moveClock({ ...demo, isReading }, { move: 'day' });
    expect(readings).toHaveLength(6);
    expect(demo.left).toHaveLength(2);
  });

  test('go on to a sending whose transactions are not read', async () => {
    const demo = moveContext(['2026-03-02T08:00:00Z']);
    const isReading = async () => true;
    expect(await moveClock({ ...demo, isReading }, { move: 'next-sending' })).toBe('sending');
    expect(demo.left).toEqual(['2026-03-02T08:00:00Z at 2026-03-02T08:00:00.000Z']);
  });

  test('say so when nothing is planned', async () => {
    const demo = moveContext([]);
    expect(await moveClock(demo, { move: 'next-sending' })).toBe('nowhere');
    expect(demo.clock.now().toISOString()).toBe('2026-03-02T07:00:00.000Z');
  });

  test('move by a day', async () => {
    const demo = moveContext([]);
    await moveClock(demo, { move: 'day' });
    expect(demo.clock.now().toISOString()).toBe('2026-03-03T07:00:00.000Z');
  });

  test('let each message of the day leave at its hour, and announce none in the past', async () => {
    const demo = moveContext([
      '2026-03-02T08:00:00Z',
      '2026-03-02T17:30:00Z',
      '2026-03-03T08:00:00Z',
    ]);
    await moveClock(demo, { move: 'day' });
    expect(demo.left).toEqual([
      '2026-03-02T08:00:00Z at 2026-03-02T08:00:00.000Z',
      '2026-03-02T17:30:00Z at 2026-03-02T17:30:00.000Z',
    ]);
    expect(demo.clock.now().toISOString()).toBe('2026-03-03T07:00:00.000Z');
    expect(await demo.nextSending()).toEqual(new Date('2026-03-03T08:00:00Z'));
  });

  test('go on when a message does not leave', async () => {
    const demo = moveContext(['2026-03-02T08:00:00Z']);
    await moveClock({ ...demo, rest: async () => {} }, { move: 'day' });
    expect(demo.clock.now().toISOString()).toBe('2026-03-03T07:00:00.000Z');
  });
});
