import { dayMs } from '../../../shared/calendar/durations.ts';
import type { Region } from '../../../shared/calendar/regions.ts';

export interface Holiday {
  /** YYYY-MM-DD. */
  day: string;
  name: string;
}

/**
 * The public holidays of a year, by date. Sources: Code du travail L. 3133-1 (everywhere), L. 3134-13
 * (Alsace-Moselle), L. 3422-2 (the days of the abolition of slavery), and the labour codes of the
 * Pacific territories. Two holidays on the same day, such as Ascension on 1 May 2008, are one entry.
 */
export function holidaysOf(year: number, region: Region): Holiday[] {
  const easter = easterOf(year);
  const own = ownDays[region](year);
  const moving = [...everywhereAfterEaster, ...(hasGoodFriday.has(region) ? [goodFriday] : [])].map(
    ([days, name]) => ({ day: written(easter + days * dayMs), name }),
  );
  const fixed = [...everywhere, ...own].map(([date, name]) => ({
    day: `${String(year).padStart(4, '0')}-${date}`,
    name,
  }));
  const byDay = new Map([...moving, ...fixed].reverse().map((holiday) => [holiday.day, holiday]));
  return [...byDay.values()].sort((one, other) => (one.day < other.day ? -1 : 1));
}

/** The holiday of a day (YYYY-MM-DD), or null. */
export function holidayOn(day: string, region: Region): Holiday | null {
  const key = `${region} ${day.slice(0, 4)}`;
  let days = known.get(key);
  if (!days) {
    days = new Map(holidaysOf(Number(day.slice(0, 4)), region).map((one) => [one.day, one]));
    if (known.size >= 200) known.clear();
    known.set(key, days);
  }
  return days.get(day) ?? null;
}

/** A cache, by region and year. */
const known = new Map<string, Map<string, Holiday>>();

/**
 * Easter Sunday of the Gregorian calendar as a UTC midnight, by the algorithm of Meeus, Jones and
 * Butcher.
 */
function easterOf(year: number): number {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const rest = year % 100;
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30;
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(rest / 4) - epact - (rest % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  const day = epact + weekday - 7 * late + 114;
  const easter = new Date(0);
  return easter.setUTCFullYear(year, Math.floor(day / 31) - 1, (day % 31) + 1);
}

function written(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

type Day = readonly [date: string, name: string];
type DaysAfterEaster = readonly [days: number, name: string];

const everywhere: Day[] = [
  ['01-01', "Jour de l'An"],
  ['05-01', 'Fête du Travail'],
  ['05-08', 'Victoire de 1945'],
  ['07-14', 'Fête nationale'],
  ['08-15', 'Assomption'],
  ['11-01', 'Toussaint'],
  ['11-11', 'Armistice de 1918'],
  ['12-25', 'Noël'],
];

const everywhereAfterEaster: DaysAfterEaster[] = [
  [1, 'Lundi de Pâques'],
  [39, 'Ascension'],
  [50, 'Lundi de Pentecôte'],
];

const goodFriday: DaysAfterEaster = [-2, 'Vendredi saint'];

const hasGoodFriday: ReadonlySet<Region> = new Set(['alsace-moselle', 'polynesie-francaise']);

const abolition = (date: string): Day[] => [[date, "Abolition de l'esclavage"]];

const ownDays: Record<Region, (year: number) => Day[]> = {
  metropole: () => [],
  'alsace-moselle': () => [['12-26', 'Saint-Étienne']],
  guadeloupe: () => abolition('05-27'),
  martinique: () => abolition('05-22'),
  guyane: () => abolition('06-10'),
  'la-reunion': () => abolition('12-20'),
  mayotte: () => abolition('04-27'),
  'saint-pierre-et-miquelon': () => [],
  'saint-barthelemy': () => abolition('10-09'),
  // Law 2017-256 moved it by a day.
  'saint-martin': (year) => abolition(year >= 2018 ? '05-28' : '05-27'),
  'wallis-et-futuna': () => [
    ['04-28', 'Saint-Pierre-Chanel'],
    ['07-29', 'Fête du Territoire'],
  ],
  // The assembly of Polynesia replaced the day of autonomy in May 2025.
  'polynesie-francaise': (year) => [
    ['03-05', "Arrivée de l'Évangile"],
    year >= 2025 ? ['11-20', 'Matāriʻi i niʻa'] : ['06-29', "Fête de l'autonomie"],
  ],
  'nouvelle-caledonie': () => [['09-24', 'Fête de la citoyenneté']],
};
