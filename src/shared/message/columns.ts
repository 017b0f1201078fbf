import type { MessageBlock } from '../contract/messages.ts';

type Banks = Extract<MessageBlock, { type: 'accounts' }>['banks'];

/** As many columns as a phone shows of a text of one width before its lines wrap. */
const width = 40;
const mostOfName = 22;

/**
 * The list of accounts as lines for a text of one width: each bank above its accounts, the amounts
 * aligned at the right, a note on a line of its own.
 */
export function columnLines(banks: Banks): string[] {
  const names = banks.flatMap(({ lines }) => lines.map(({ name }) => shortened(name, mostOfName)));
  const left = Math.min(mostOfName, Math.max(0, ...names.map(widthOf)));
  const amounts = banks.flatMap(({ lines }) => lines.map(({ amount }) => widthOf(spaced(amount))));
  const right = Math.max(0, ...amounts);
  return banks.flatMap(({ name: bank, lines }) => [
    shortened(bank, width),
    ...lines.flatMap(({ name, amount, note }) => [
      `${padEnd(shortened(name, mostOfName), left)}  ${padStart(spaced(amount), right)}`,
      ...(note ? [`  ${spaced(note)}`] : []),
    ]),
  ]);
}

/** Many fonts of one width lack the narrow and the unbreakable space and draw another width. */
function spaced(text: string): string {
  return text.replace(/[\u00a0\u202f]/g, ' ');
}

function shortened(text: string, most: number): string {
  const whole = spaced(text.replace(/\s*\n\s*/g, ' '));
  if (widthOf(whole) <= most) return whole;
  let cut = '';
  for (const { segment } of segments.segment(whole)) {
    if (widthOf(cut + segment) > most - 1) break;
    cut += segment;
  }
  return `${cut}…`;
}

const segments = new Intl.Segmenter('fr', { granularity: 'grapheme' });

function padEnd(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)));
}

function padStart(text: string, columns: number): string {
  return ' '.repeat(Math.max(0, columns - widthOf(text))) + text;
}

/** Columns on the screen: none for marks and joiners, two for wide letters and emoji. */
function widthOf(text: string): number {
  let columns = 0;
  for (const { segment } of segments.segment(text)) {
    if (/^[\p{M}\p{Cf}\p{Cc}]*$/u.test(segment)) continue;
    columns += wide.test(segment) ? 2 : 1;
  }
  return columns;
}

const wide =
  /\p{Emoji_Presentation}|\ufe0f|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;
