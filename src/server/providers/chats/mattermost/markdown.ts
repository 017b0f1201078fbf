import type {
  AccountsBlock,
  MessageBlock,
  MessageLink,
} from '../../../../shared/contract/messages.ts';
import { accountLineText, type Capacity } from '../../../../shared/message/capacity.ts';
import { parseSpans } from '../../../../shared/message/spans.ts';
import { columnAlignments, type TableRow, tableRows } from '../../../../shared/message/table.ts';
import { encodedAddress, type Notation, renderSpans } from '../rendering.ts';

/**
 * A message in Mattermost's Markdown (docs.mattermost.com/end-user-guide/collaborate/format-messages).
 * What a person typed or a bank named notifies no one and styles nothing but by the known styles.
 */
export function markdown(blocks: readonly MessageBlock[]): string {
  return blocks.map(draw).join('\n\n');
}

/** A text in the notation that all authors write in. */
export function markdownOf(text: string): string {
  // A `!` would make a picture of the link behind it.
  const parted = text.replace(/!(?=https?:)/gi, `$&${joiner}`);
  return startOfLines(renderSpans(parseSpans(parted), notation)).trim();
}

/** In code points, with room left for what escaping adds. */
export const capacity: Capacity = {
  measure: {
    text: (text) => lengthOf(markdownOf(text)) + 8,
    bank: (name) => 70 + lengthOf(escapeCell(name)),
    account: (line) => 24 + lengthOf(escapeCell(accountLineText(line))),
  },
  most: 15_500,
  maxText: 6000,
  rows: 200,
};

/** As the server counts: model.POST_MESSAGE_MAX_RUNES_V2. */
const maxCodePoints = 16_383;

/** What one post holds of it. A bot's longer one is refused, a webhook's becomes several posts. */
export function withinPost(drawn: string): string {
  if (lengthOf(drawn) <= maxCodePoints) return drawn;
  return `${[...drawn].slice(0, maxCodePoints - 20).join('')}… (message coupé)`;
}

function lengthOf(text: string): number {
  return [...text].length;
}

function draw(block: MessageBlock): string {
  if (block.type === 'text') return markdownOf(block.text);
  if (block.type === 'context') return note(block.text);
  if (block.type === 'link') return linkTo(block);
  if (block.type === 'attention') {
    return block.lines
      .map(({ text, link }) => escapeCell(text) + (link ? ` ${linkTo(link)}` : ''))
      .join('\n');
  }
  return [
    ...(block.banks.length > 0 ? [table(block)] : []),
    ...(block.more ? [note(block.more)] : []),
  ].join('\n\n');
}

function note(text: string): string {
  return `_${escapeCell(text)}_`;
}

/** The address is ours: nothing in it ends the link. */
function linkTo({ label, address }: MessageLink): string {
  return `[${label}](${address})`;
}

function table(block: AccountsBlock): string {
  const [heading, ...rows] = tableRows(block).map(lineOf);
  const sides = columnAlignments(block).map((side) => (side === 'right' ? '--:' : ':--'));
  return [heading, `|${sides.join('|')}|`, ...rows].join('\n');
}

/** A heading is drawn bold by itself. */
function lineOf({ kind, cells }: TableRow): string {
  const written = cells.map(({ text }) => {
    const cell = escapeCell(text);
    return kind === 'bank' && cell ? `**${cell}**` : cell;
  });
  return `| ${written.join(' | ')} |`;
}

const notation: Notation = {
  text: escapeText,
  code: (text) => `\`${disarm(text)}\``,
  block: (text) => `\n\`\`\`\n${disarm(text)}\n\`\`\`\n`,
  strong: (inner) => `**${inner}**`,
  em: (inner) => `_${inner}_`,
  s: (inner) => `~~${inner}~~`,
  quote: (inner) => `${inner.replace(/^/gm, '> ')}\n\n`,
  link,
};

/** A cell ends at the end of its line. */
function escapeCell(text: string): string {
  return escapeText(text.replace(/\s*\n\s*/g, ' ').trim());
}

/**
 * A backslash before a letter or a digit is itself there, and two of them are two. An underscore within a
 * word styles nothing, and the server makes links of words such as `exemple.fr/mes_comptes`, in which a
 * backslash would stay.
 */
function escapeText(text: string): string {
  return disarm(text.replace(/[`*~[\]|]|\\(?!\w)|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, '\\$&'));
}

/**
 * The server looks for mentions in the letters as they come, and a backslash does not stop it: `@` is
 * followed by a joiner of no width, which ends the word. `<` is followed by one because a webhook
 * translates Slack's `<!channel>` and `<address|name>`, `&` because an entity could write either, and
 * the colon because of emoji.
 */
function disarm(text: string): string {
  return text
    .replace(/[@<]/g, `$&${joiner}`)
    .replace(/&(?=#?\w+;)/g, `&${joiner}`)
    .replace(/:(?=[\w+-]+:)/g, `:${joiner}`);
}

const joiner = '\u2060';

/**
 * Headings, lists, quotes, rules and indented code begin with a line: what was typed stays what it was.
 */
function startOfLines(printed: string): string {
  return printed
    .split(/(\n```\n[\s\S]*?\n```\n)/)
    .map((part, index) => (index % 2 === 1 ? part : part.split('\n').map(plainStart).join('\n')))
    .join('');
}

function plainStart(line: string): string {
  // A quote of ours stays one.
  const [, quote = '', indent = '', rest = ''] = /^(> )?(\s*)(.*)$/s.exec(line) ?? [];
  const escaped = rest
    .replace(/^(?:([#>+-])|(\d{1,9})([.)]))/, (all, sign, number, dot) =>
      sign === undefined ? `${number}\\${dot}` : `\\${all}`,
    )
    // It underlines a heading, and no backslash stops it.
    .replace(/^=/, `${joiner}$&`);
  return `${quote}${indent.replace(/[ \t]/g, '\u00a0')}${escaped}`;
}

/**
 * An address as a link that says itself. One whose host is written with other signs, such as the `@`
 * after a person's name, stays letters.
 */
function link(address: string): string {
  const target = encodedAddress(address, /[@()<>\\`*_~|[\]]|&(?=#?\w+;)/g);
  return target === null ? escapeText(address) : `[${escapeText(address)}](${target})`;
}
