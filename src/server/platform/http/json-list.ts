/** A JSON list of what comes in pages, piece by piece: no page waits in memory for the others. */
export async function* jsonList(pages: AsyncIterable<object[]>): AsyncGenerator<string> {
  let separator = '[';
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield separator + JSON.stringify(page).slice(1, -1);
    separator = ',';
  }
  yield separator === ',' ? ']' : '[]';
}
