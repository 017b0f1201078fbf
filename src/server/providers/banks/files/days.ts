/**
 * YYYY-MM-DD of a date as banks write it, day before month unless the year comes first. Null for others.
 */
export function readDay(text: string): string | null {
  const trimmed = text.trim();
  const iso = /^(\d{4})[-/.]?(\d{2})[-/.]?(\d{2})(?:[T\s[]|\d{2}|$)/.exec(trimmed);
  const french = /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4}|\d{2})(?:\D|$)/.exec(trimmed);
  if (iso) return existing(iso[1], iso[2], iso[3]);
  if (!french) return null;
  const [, day, month, year = ''] = french;
  return existing(year.length === 2 ? `20${year}` : year, month, day);
}

function existing(year = '', month = '', day = ''): string | null {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text ? null : text;
}
