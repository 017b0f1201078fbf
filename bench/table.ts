export type Row = Record<string, string | number>;

/** Rows as a Markdown table, its columns in the order of the first row. */
export function table(rows: Row[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const lines = [columns, ...rows.map((row) => columns.map((name) => String(row[name] ?? '')))];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  const draw = (cells: string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = lines;
  const rule = widths.map((width) => '-'.repeat(width));
  return `${[head, rule, ...body].map(draw).join('\n')}\n`;
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
