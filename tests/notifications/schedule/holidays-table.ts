/** Written by hand from the calendars that the state publishes, not computed. */
export const commonDays = ['01-01', '05-01', '05-08', '07-14', '08-15', '11-01', '11-11', '12-25'];

/** Good Friday, Easter Monday, Ascension, Whit Monday. */
export const movingDays: Record<number, string[]> = {
  2018: ['03-30', '04-02', '05-10', '05-21'],
  2019: ['04-19', '04-22', '05-30', '06-10'],
  2020: ['04-10', '04-13', '05-21', '06-01'],
  2021: ['04-02', '04-05', '05-13', '05-24'],
  2022: ['04-15', '04-18', '05-26', '06-06'],
  2023: ['04-07', '04-10', '05-18', '05-29'],
  2024: ['03-29', '04-01', '05-09', '05-20'],
  2025: ['04-18', '04-21', '05-29', '06-09'],
  2026: ['04-03', '04-06', '05-14', '05-25'],
  2027: ['03-26', '03-29', '05-06', '05-17'],
};

/** What a region adds; `friday` is Good Friday. */
export const ownDays: Record<string, { date: string; from?: number; to?: number }[]> = {
  metropole: [],
  'alsace-moselle': [{ date: 'friday' }, { date: '12-26' }],
  guadeloupe: [{ date: '05-27' }],
  martinique: [{ date: '05-22' }],
  guyane: [{ date: '06-10' }],
  'la-reunion': [{ date: '12-20' }],
  mayotte: [{ date: '04-27' }],
  'saint-pierre-et-miquelon': [],
  'saint-barthelemy': [{ date: '10-09' }],
  'saint-martin': [{ date: '05-28' }],
  'wallis-et-futuna': [{ date: '04-28' }, { date: '07-29' }],
  'polynesie-francaise': [
    { date: '03-05' },
    { date: 'friday' },
    { date: '06-29', to: 2024 },
    { date: '11-20', from: 2025 },
  ],
  'nouvelle-caledonie': [{ date: '09-24' }],
};
