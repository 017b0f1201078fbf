import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planRelease } from '../../../src/server/notifications/alerts/release.ts';
import { alertBlocks, type NamedCrossing } from '../../../src/server/notifications/alerts/text.ts';
import {
  minutesIntoActiveHours,
  nextActiveHours,
} from '../../../src/server/notifications/schedule/active-hours.ts';
import { localDateAt, minutesOfDay } from '../../../src/shared/calendar/wall-clock.ts';
import { plain } from '../../shared/message/samples.ts';

const paris = { zone: 'Europe/Paris', offsetMinutes: null };
const zones = [
  paris,
  { zone: 'Pacific/Noumea', offsetMinutes: null },
  { zone: 'America/Montreal', offsetMinutes: null },
  { zone: null, offsetMinutes: -210 },
];

const moment = fc
  .integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2026, 11, 31) })
  .map((at) => new Date(at));

describe('when a crossing is told', () => {
  it('three messages of an account and day at once from 07:00 to 22:00, everything else at the next 07:00', () => {
    const found = fc.record({ accountId: fc.constantFrom(null, 1, 2) });
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        moment,
        fc.array(fc.tuple(fc.nat({ max: 2 * 24 * 60 }), fc.array(found, { maxLength: 5 })), {
          maxLength: 20,
        }),
        (localZone, first, readings) => {
          const toldAtOnce = new Map<string, Map<number | null, number>>();
          for (const [minutes, crossings] of readings.sort(([a], [b]) => a - b)) {
            const now = new Date(first.getTime() + minutes * 60_000);
            const day = localDateAt(now, localZone);
            const told = toldAtOnce.get(day) ?? new Map<number | null, number>();
            toldAtOnce.set(day, told);
            const immediateToday = new Map(told);
            const planned = planRelease(crossings, now, { localZone, immediateToday });
            expect(planned.map(({ crossing }) => crossing)).toEqual(crossings);
            for (const { crossing, releaseAt } of planned) {
              const { accountId } = crossing;
              if (releaseAt === null) {
                told.set(accountId, (immediateToday.get(accountId) ?? 0) + 1);
                expect(minutesIntoActiveHours(localZone, now)).not.toBeNull();
                continue;
              }
              expect(minutesOfDay(releaseAt, localZone)).toBe(7 * 60);
              const aheadMs = releaseAt.getTime() - now.getTime();
              expect(aheadMs).toBeGreaterThan(0);
              expect(aheadMs).toBeLessThanOrEqual(25 * 3_600_000);
              const isOpen = minutesIntoActiveHours(localZone, now) !== null;
              if (isOpen) expect(immediateToday.get(accountId)).toBe(3);
            }
          }
          for (const told of toldAtOnce.values())
            for (const count of told.values()) expect(count).toBeLessThanOrEqual(3);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('active hours are 07:00 to 22:00 of the zone, through changes of the clock', () => {
    expect(minutesIntoActiveHours(paris, new Date('2026-01-12T05:59:00Z'))).toBeNull();
    expect(minutesIntoActiveHours(paris, new Date('2026-01-12T06:00:00Z'))).toBe(0);
    expect(minutesIntoActiveHours(paris, new Date('2026-01-12T20:59:00Z'))).toBe(899);
    expect(minutesIntoActiveHours(paris, new Date('2026-01-12T21:00:00Z'))).toBeNull();
    expect(nextActiveHours(paris, new Date('2026-03-28T21:30:00Z')).toISOString()).toBe(
      '2026-03-29T05:00:00.000Z',
    );
    expect(nextActiveHours(paris, new Date('2026-01-12T06:00:00Z')).toISOString()).toBe(
      '2026-01-13T06:00:00.000Z',
    );
  });

  it('a zone that this machine does not know is taken for that of Paris', () => {
    const at = new Date('2026-01-12T06:30:00Z');
    expect(minutesIntoActiveHours({ zone: 'Mars/Olympus', offsetMinutes: null }, at)).toBe(30);
  });
});

describe('what an alert says', () => {
  const now = new Date('2026-01-12T10:05:00Z');
  const context = { now, localZone: paris };
  const fall: NamedCrossing = {
    account: { id: 1, name: 'Compte courant', bank: { name: 'BNP Paribas' } },
    ...{ amountMinor: 50_000, balanceMinor: 43_210, changeMinor: null, currency: 'EUR' },
    ...{ accounts: 1, asOf: now.getTime() - 5 * 60_000, isHeld: false },
  };
  const said = (...crossings: NamedCrossing[]) =>
    alertBlocks(crossings, context).map((block) => plain('text' in block ? block.text : ''));

  it('the account, the amount, the balance and its age', () => {
    expect(said(fall)).toEqual([
      'Compte courant (BNP Paribas) est passé sous 500,00 € : 432,10 € (11:00).',
    ]);
  });

  it('a movement with its sign, and a total with the number of its accounts', () => {
    const movement = { ...fall, changeMinor: 120_000, asOf: now.getTime() };
    const total = { ...fall, account: null, accounts: 3, asOf: now.getTime() - 3 * 86_400_000 };
    expect(said(movement, total)).toEqual([
      [
        '• Compte courant (BNP Paribas) : mouvement de +1 200,00 €, le solde est de 432,10 € (11:05).',
        '• Le total de 3 comptes est passé sous 500,00 € : 432,10 € (solde le plus ancien : il y a 3 jours).',
      ].join('\n'),
    ]);
  });

  it('a movement once, though two alerts tell it', () => {
    const movement = { ...fall, changeMinor: 120_000 };
    expect(said(movement, { ...movement, amountMinor: 1 })).toEqual([
      'Compte courant (BNP Paribas) : mouvement de +1 200,00 €, le solde est de 432,10 € (11:00).',
    ]);
  });

  it('in a summary, the age of each', () => {
    const held = { ...fall, isHeld: true, asOf: Date.parse('2026-01-11T22:12:00Z') };
    expect(said(held)).toEqual([
      [
        'Vos alertes de la nuit et de la veille :',
        '• Compte courant (BNP Paribas) est passé sous 500,00 € : 432,10 € (hier à 23:12).',
      ].join('\n'),
    ]);
  });

  it('names that would call or style somebody do neither, and too many lines are counted', () => {
    const account = { id: 1, name: '<!channel> *gras*', bank: { name: '@here' } };
    const [text = ''] = said({ ...fall, account });
    expect(text).not.toMatch(/<!channel>|\*gras\*|@here/);
    const many = alertBlocks(
      Array.from({ length: 40 }, (_, index) => ({ ...fall, balanceMinor: 40_000 + index })),
      context,
      {
        ...{ most: 1000, maxText: 1000, rows: 10 },
        measure: { text: ({ length }) => length, bank: () => 0, account: () => 0 },
      },
    );
    const [block] = many;
    const lines = block && 'text' in block ? block.text.split('\n') : [];
    expect(lines.join('\n').length).toBeLessThanOrEqual(1000);
    expect(lines.at(-1)).toBe(`et ${40 - (lines.length - 1)} autres alertes`);
  });
});
