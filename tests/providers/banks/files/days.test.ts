import { expect, test } from 'vitest';
import {
  readDay,
  readDayOfMoment,
  takeDays,
} from '../../../../src/server/providers/banks/files/days.ts';

test.for([
  ['20 novembre 2026', '2026-11-20'],
  ['1er décembre 2026', '2026-12-01'],
  ['5 FÉVRIER 2026', '2026-02-05'],
  ['31 juil. 2026', '2026-07-31'],
  ['30 juin 2026', '2026-06-30'],
  ['1 aout 2026', '2026-08-01'],
  ['01.09.26', '2026-09-01'],
  ['2026-11-20', '2026-11-20'],
  ['31 avril 2026', null],
] as const)('the written day %s is %s', ([written, day]) => {
  expect(takeDays(`au ${written} : 1,00`)).toEqual({ days: [day], rest: 'au   : 1,00' });
});

test.for([
  ['20/11/2026', '2026-11-20'],
  ['1/2/26', '2026-02-01'],
  ['2026-11-20T10:00:00', '2026-11-20'],
  ['20261120120000.000[+1:CET]', '2026-11-20'],
  ['2026-11-20+01:00', '2026-11-20'],
  ['2026-11-20Z', '2026-11-20'],
  ['2026-11-20-12', null],
  ['31/02/2026', null],
  ['hier', null],
] as const)('the date %j is %s', ([written, day]) => expect(readDay(written)).toBe(day));

test.for([
  ['2026-11-19T23:00:00Z', '2026-11-20'],
  ['2026-07-19T22:00:00.000+00:00', '2026-07-20'],
  ['20261130230000[0:GMT]', '2026-12-01'],
  ['20261130230000.000[0:GMT]', '2026-12-01'],
  ['2026-11-19T22:00:00Z', '2026-11-19'],
  ['2026-11-19T23:59:59Z', '2026-11-19'],
  ['2026-11-19T23:00:00', '2026-11-19'],
  ['20261130230000', '2026-11-30'],
  ['2026-11-20T00:00:00+01:00', '2026-11-20'],
  ['2026-11-20', '2026-11-20'],
] as const)('the moment %s is of %s, as Paris has it at midnight', ([written, day]) =>
  expect(readDayOfMoment(written)).toBe(day),
);
