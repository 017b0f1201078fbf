import type { MessageBlock } from '../../../../shared/contract/messages.ts';
import type { Capacity } from '../../../../shared/message/capacity.ts';
import { beginningOf } from '../../../../shared/message/render.ts';
import { tableRows } from '../../../../shared/message/table.ts';
import type { Chart } from '../posting.ts';
import { chartBlock } from './chart.ts';

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
  const end = 1 + drawn.findLastIndex(({ type }) => type !== 'context');
  const charted = drawn.toSpliced(end, 0, ...charts.map(chartBlock));
  return fits(charted) ? charted : drawn;
}

function fits(drawn: Drawn[]): boolean {
  const tables = drawn.filter(({ type }) => type === 'table').length;
  const letters = drawn.reduce((sum, block) => sum + lettersOf(block), 0);
  return drawn.length <= 50 && tables <= 1 && letters <= mostLetters;
}

/** As JSON, nearly: writing it down to measure it would cost as much as sending it. */
function lettersOf(block: Drawn): number {
  if (block.type === 'section') return 80 + block.text.text.length;
  if (block.type === 'context')
    return block.elements.reduce((sum, { text }) => sum + 60 + text.length, 40);
  if (block.type === 'data_visualization') return JSON.stringify(block).length;
  return block.rows.flat().reduce((sum, { text }) => sum + 34 + text.length, 120);
}

/**
 * In letters of JSON, with room left for what surrounds the texts. One of a table's hundred rows is
 * its heading: docs.slack.dev/reference/block-kit/blocks/table-block
 */
export const capacity: Capacity = {
  measure: {
    text: (text) => text.length,
    row: (bank, { name, amount, note }) =>
      110 + bank.length + name.length + amount.length + (note?.length ?? 0),
  },
  most: 11_600,
  mostText: 8000,
  rows: 99,
};

/** From about 13,200 Slack answers msg_blocks_too_long (slackapi/bolt-js#2509). */
const mostLetters = 13_000;

const mostInSection = 3000;

type Accounts = Extract<MessageBlock, { type: 'accounts' }>;

function draw(block: MessageBlock): Drawn[] {
  switch (block.type) {
    case 'text':
      return cut(block.text).map(section);
    case 'context':
      return [context(mrkdwn(block.text))];
    case 'accounts':
      return [
        ...(block.banks.length > 0 ? [table(block)] : []),
        ...(block.more ? [context(mrkdwn(block.more))] : []),
      ];
  }
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

function table({ banks }: Accounts) {
  const rows = tableRows(banks);
  const wrapped = (rows[0] ?? []).slice(0, -1).map(() => ({ is_wrapped: true }));
  return {
    type: 'table',
    column_settings: [...wrapped, { align: 'right', is_wrapped: true }],
    rows: rows.map((row) => row.map((text) => ({ type: 'raw_text', text }) as const)),
  } as const;
}

/** Its addresses come out at the odd places. */
const addresses = /(\bhttps?:\/\/[^\s<>|]*[^\s<>|.,;:!?)\]}'"’»*_~`])/;

function mrkdwn(text: string): string {
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
  while (mrkdwn(rest.slice(0, mostInSection + 1)).length > mostInSection) {
    let end = Math.min(rest.length, mostInSection);
    while (mrkdwn(rest.slice(0, end)).length > mostInSection) end = Math.floor(end * 0.9);
    const at =
      Math.max(rest.lastIndexOf('\n', end), 0) || Math.max(rest.lastIndexOf(' ', end), 0) || end;
    const piece = beginningOf(rest, at);
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
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
