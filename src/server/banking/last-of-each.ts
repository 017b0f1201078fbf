/** A list that changes while it is read in pages can contain a row twice: the last one counts. */
export function lastOfEach<Row extends { id: string }>(rows: Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
