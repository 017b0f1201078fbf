/** The lines of a text that comes in parts. One that does not end is left out: the text was cut off. */
export async function* wholeLines(parts: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  // Not with readline, which also ends lines at U+2028 and U+2029; message texts may contain these.
  for await (const part of parts) {
    const lines = (rest + part).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
