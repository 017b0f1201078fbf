import { parse } from 'csv-parse/sync';
import type { StatementColumns } from '../../../../shared/contract/statements.ts';
import { proposeColumns } from './columns.ts';
import { readDay } from './days.ts';
import { withNamedBalances } from './lcl.ts';
import { type Row, StatementError } from './statement.ts';
import { headerAt, readTable, requireFewRows, type TableReading } from './table.ts';

/** A bank's CSV export: `asked` are the columns that the person chose, else they are proposed. */
export function readCsv(text: string, asked: StatementColumns | null): TableReading {
  return readTable(rowsOf(text), asked);
}

function rowsOf(text: string): Row[] {
  const delimiter = delimiterOf(text);
  let rows: { record: string[]; info: { lines: number } }[];
  try {
    rows = parse(text, {
      ...{ delimiter, bom: true, info: true, trim: true, relax_column_count: true },
      ...{ relax_quotes: true, skip_empty_lines: true, max_record_size: 100_000 },
    }) as unknown as typeof rows;
  } catch (error) {
    const line = /line (\d+)/.exec(String(error))?.[1];
    throw new StatementError(
      line
        ? `La ligne ${line} de ce fichier est illisible.`
        : "Ce fichier n'est pas un tableau lisible.",
    );
  }
  requireFewRows(rows.length);
  // A spreadsheet is told by `="…"` that a number is a text: it is one here anyway.
  const table = rows.map(({ record, info }) => ({
    cells: record.map((cell) => cell.replace(/^="?(.*?)"?$/, '$1')),
    line: info.lines,
  }));
  const named = withNamedBalances(table);
  requireAligned(named, delimiter);
  return named;
}

/**
 * A row with more cells than the header was parted where it should not be, and its figures stand under
 * other headings: at the semicolon of a label, at the decimal comma of amounts. Where all rows have more, a
 * column may have no heading.
 */
function requireAligned(rows: Row[], delimiter: string): void {
  const start = headerAt(rows);
  const header = rows[start]?.cells ?? [];
  const { date = 0 } = proposeColumns(header) ?? {};
  const dated = rows.slice(start + 1).filter(({ cells }) => readDay(cells[date] ?? '') !== null);
  const isLong = ({ cells }: Row) => cells.slice(header.length).some((cell) => cell !== '');
  const long = start < 0 ? undefined : dated.find(isLong);
  const hasPoints = dated.some(({ cells }) => cells.some((cell) => /^[+-]?\d+\.\d+$/.test(cell)));
  if (!long || ((delimiter !== ',' || hasPoints) && dated.every(isLong))) return;
  throw new StatementError(
    `La ligne ${long.line} a plus de colonnes que l'en-tête\u202f: ses montants ne peuvent pas être lus avec certitude.`,
  );
}

/** The sign that makes the most cells of lines with the same number of them: amounts have commas too. */
function delimiterOf(text: string): string {
  const lines = text.split(/\r?\n/, 60);
  const score = (sign: string) => {
    const counts = lines.map((line) => line.split(sign).length - 1);
    const same = [...Map.groupBy(counts, (count) => count)];
    return Math.max(...same.map(([count, { length }]) => count * length));
  };
  return [';', '\t', ',', '|'].reduce((best, sign) => (score(sign) > score(best) ? sign : best));
}
