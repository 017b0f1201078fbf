import type {
  AccountsBlock,
  MessageBlock,
  MessageLink,
} from '../../../../shared/contract/messages.ts';
import { accountLineLength, type Capacity } from '../../../../shared/message/capacity.ts';
import { truncate } from '../../../../shared/message/render.ts';
import { columnAlignments, type TableRow, tableRows } from '../../../../shared/message/table.ts';
import type { Chart } from '../posting.ts';

type Drawn = ReturnType<typeof section | typeof context | typeof table | typeof chartBlock>;

/**
 * A message as Block Kit. Every text is `verbatim`: Slack looks for no mention and no address in it,
 * so the addresses its author wrote are marked here. Null when it would break one of Slack's limits
 * (docs.slack.dev/reference/block-kit/blocks): its text is then posted alone. Charts stand before the
 * discreet last lines, and are left out where there is no room for them.
 */
export function blockKit(blocks: MessageBlock[], charts: Chart[] = []): Drawn[] | null {
  const drawn = blocks.flatMap(draw);
  if (!fits(drawn)) return null;
  if (charts.length === 0) return drawn;
  const end = 1 + drawn.findLastIndex(({ type }) => type !== 'context');
  const charted = drawn.toSpliced(end, 0, ...charts.map(chartBlock));
  return fits(charted) ? charted : drawn;
}

function fits(drawn: Drawn[]): boolean {
  let tables = 0;
  let characters = 0;
  for (const block of drawn) {
    if (block.type === 'table') tables += 1;
    characters += lengthOf(block);
  }
  return drawn.length <= 50 && tables <= 1 && characters <= maxCharacters;
}

/** As JSON, nearly: writing it down to measure it would cost as much as sending it. */
function lengthOf(block: Drawn): number {
  if (block.type === 'section') return 80 + block.text.text.length;
  if (block.type === 'context')
    return block.elements.reduce((sum, { text }) => sum + 60 + text.length, 40);
  if (block.type === 'data_visualization') return JSON.stringify(block).length;
  let characters = 200;
  for (const row of block.rows) {
    for (const cell of row) {
      characters += cell.type === 'raw_text' ? 34 + cell.text.length : boldCell(cell);
    }
  }
  return characters;
}

function boldCell({ elements: [section] }: ReturnType<typeof bold>): number {
  return 150 + section.elements[0].text.length;
}

/**
 * In characters of JSON, with room left for what surrounds the texts. One of a table's hundred rows is
 * its heading: docs.slack.dev/reference/block-kit/blocks/table-block
 */
export const capacity: Capacity = {
  measure: {
    text: (text) => escapeText(text).length + 60,
    bank: (name) => 480 + name.length,
    account: (line) => 145 + accountLineLength(line),
  },
  most: 11_600,
  maxText: 8000,
  rows: 99,
};

/** From about 13,200 Slack answers msg_blocks_too_long (slackapi/bolt-js#2509). */
const maxCharacters = 13_000;

const maxSectionLength = 3000;

function draw(block: MessageBlock): Drawn[] {
  switch (block.type) {
    case 'text':
      return cut(block.text).map(section);
    case 'attention':
      return gathered(block.lines.flatMap(linesIn)).map(section);
    case 'context':
      return [context(mrkdwn(block.text))];
    case 'link':
      return [context(linkTo(block))];
    case 'accounts':
      return [
        ...(block.banks.length > 0 ? [table(block)] : []),
        ...(block.more ? [context(mrkdwn(block.more))] : []),
      ];
  }
}

/** One, or the pieces of a text that no section holds with the link below. */
function linesIn({ text, link }: { text: string; link: MessageLink | null }): string[] {
  const line = link ? `${mrkdwn(text)} ${linkTo(link)}` : mrkdwn(text);
  return line.length <= maxSectionLength ? [line] : [...cut(text), ...(link ? [linkTo(link)] : [])];
}

/** The lines in as few sections as hold them. */
function gathered(lines: string[]): string[] {
  const sections: string[] = [];
  for (const line of lines) {
    const last = sections.at(-1);
    if (last !== undefined && last.length + 1 + line.length <= maxSectionLength) {
      sections[sections.length - 1] = `${last}\n${line}`;
    } else sections.push(line);
  }
  return sections;
}

/** docs.slack.dev/messaging/formatting-message-text: links are marked, whatever is verbatim. */
function linkTo({ label, address }: MessageLink): string {
  return `<${escapeText(address)}|${escapeText(label)}>`;
}

function section(text: string) {
  return { type: 'section', expand: true, text: verbatim(text) } as const;
}

function context(text: string) {
  return { type: 'context', elements: [verbatim(text)] } as const;
}

function verbatim(text: string) {
  return { type: 'mrkdwn', verbatim: true, text } as const;
}

function table(block: AccountsBlock) {
  return {
    type: 'table',
    column_settings: columnAlignments(block).map((align) =>
      align === 'right' ? ({ align } as const) : ({ is_wrapped: true } as const),
    ),
    rows: tableRows(block).map(rowOf),
  } as const;
}

/** A cell without characters is refused. */
function rowOf({ kind, cells }: TableRow) {
  return cells.map(({ text }) => {
    const characters = text || '\u00a0';
    return kind === 'account' || text === ''
      ? ({ type: 'raw_text', text: characters } as const)
      : bold(characters);
  });
}

function bold(text: string) {
  const words = { type: 'text', text, style: { bold: true } } as const;
  const section = { type: 'rich_text_section', elements: [words] } as const;
  return { type: 'rich_text', elements: [section] } as const;
}

/** Its addresses come out at the odd indexes. */
const addresses = /(\bhttps?:\/\/[^\s<>|]*[^\s<>|.,;:!?)\]}'"’»*_~`])/;

function mrkdwn(text: string): string {
  if (!text.includes('://')) return escapeText(text);
  return text
    .split(addresses)
    .map((piece, index) => (index % 2 === 1 ? `<${escapeText(piece)}>` : escapeText(piece)))
    .join('');
}

/** Pieces that a section holds, parted at the end of a line or of a word where there is one. */
function cut(text: string): string[] {
  const pieces: string[] = [];
  let rest = text;
  // What is longer as it stands is longer as it is written, too.
  while (mrkdwn(rest.slice(0, maxSectionLength + 1)).length > maxSectionLength) {
    let end = Math.min(rest.length, maxSectionLength);
    while (mrkdwn(rest.slice(0, end)).length > maxSectionLength) end = Math.floor(end * 0.9);
    const at =
      Math.max(rest.lastIndexOf('\n', end), 0) || Math.max(rest.lastIndexOf(' ', end), 0) || end;
    const piece = truncate(rest, at);
    pieces.push(piece);
    rest = rest.slice(piece.length).replace(/^\s/, '');
  }
  return [...pieces, rest].filter((piece) => piece.trim() !== '').map(mrkdwn);
}

/**
 * A person's text as Slack's `text` argument. The three signs are Slack's only way into a mention
 * (`<!channel>`), so escaped they are shown as typed and notify no one; `*bold*`, `_italic_` and
 * the like keep their effect. Source: docs.slack.dev/messaging/formatting-message-text.
 */
export function escapeText(text: string): string {
  if (!/[&<>]/.test(text)) return text;
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/**
 * A chart of Slack's own: docs.slack.dev/reference/block-kit/blocks/data-visualization-block. At most
 * twenty points, two charts in a message; every label is one of the categories.
 */
function chartBlock({ currency, points }: Chart) {
  const shown = points.slice(-20).map(({ day, value }) => ({ label: labelOf(day), value }));
  const [first, last] = [shown[0]?.label ?? '', shown.at(-1)?.label ?? ''];
  return {
    type: 'data_visualization',
    title: `Total en ${currency.slice(0, 10)}, du ${first} au ${last}`,
    chart: {
      type: 'line',
      series: [{ name: 'Total', data: shown }],
      axis_config: {
        categories: shown.map(({ label }) => label),
        x_label: 'Jour',
        y_label: currency.slice(0, 10),
      },
    },
  } as const;
}

/** 2026-09-14 → 14/09. */
function labelOf(day: string): string {
  return `${day.slice(8, 10)}/${day.slice(5, 7)}`;
}
