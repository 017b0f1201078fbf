/** Lines in a frame, for a terminal. */
export function framed(lines: string[]): string {
  const width = Math.max(...lines.map((line) => line.length));
  const body = lines.map((line) => `│  ${line.padEnd(width)}  │`);
  const edge = '─'.repeat(width + 4);
  return `\n┌${edge}┐\n${body.join('\n')}\n└${edge}┘\n\n`;
}
