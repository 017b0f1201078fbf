import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDemoClock } from '../../standins/demo/clock.ts';
import { moveClock } from '../../standins/demo/moves.ts';

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

describe('its buttons', () => {
  test('stop a second short of the next sending, so that it happens on time', async () => {
    const clock = open();
    const nextSending = async () => new Date('2026-03-02T08:00:00Z');
    expect(await moveClock({ clock, nextSending }, { move: 'next-sending' })).toBe('sending');
    expect(clock.now().toISOString()).toBe('2026-03-02T07:59:59.000Z');
  });

  test('say so when nothing is planned', async () => {
    const clock = open();
    const nextSending = async () => null;
    expect(await moveClock({ clock, nextSending }, { move: 'next-sending' })).toBe('nowhere');
    expect(clock.now().toISOString()).toBe('2026-03-02T07:00:00.000Z');
  });

  test('move by a day', async () => {
    const clock = open();
    await moveClock({ clock, nextSending: async () => null }, { move: 'day' });
    expect(clock.now().toISOString()).toBe('2026-03-03T07:00:00.000Z');
  });
});
