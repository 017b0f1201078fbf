import type {
  AccountsBlock,
  AttentionLine,
  MessageBlock,
} from '../../../../shared/contract/messages.ts';
import { accountLineText, type Capacity } from '../../../../shared/message/capacity.ts';
import { columnLines } from '../../../../shared/message/columns.ts';
import { textOf, truncate } from '../../../../shared/message/render.ts';
import { parseSpans, type Span } from '../../../../shared/message/spans.ts';
import { columnAlignments, tableRows } from '../../../../shared/message/table.ts';
import { escapeHtml } from '../../../platform/html.ts';
import { type Notation, renderSpans } from '../rendering.ts';

/**
 * A message as blocks of core.telegram.org/bots/api#sendrichmessage, with a true table. Nothing in them
 * is parsed, and nothing of them becomes a mention, a command or a link but what is marked here.
 */
export function richMessage(blocks: readonly MessageBlock[]) {
  return { blocks: blocks.flatMap(drawRich), skip_entity_detection: true };
}

/**
 * The same for every version of Telegram, as its HTML with aligned columns; null when that is longer
 * than a message may be.
 */
export function plainHtml(blocks: readonly MessageBlock[]): string | null {
  const html = blocks.map(drawPlain).join('\n');
  return shownText(html).length <= maxPlain ? html : null;
}

/** The letters alone, cut where a message ends. */
export function plainText(blocks: MessageBlock[]): string {
  const text = disarm(textOf(blocks));
  return text.length <= maxPlain ? text : `${truncate(text, maxPlain - 20)}… (message coupé)`;
}

/** In UTF-16 units, after the notation was read. */
const maxPlain = 4096;

/**
 * 32,768 letters, 500 blocks of which each row of a table is one, 20 columns. With room left for what a
 * joiner adds to a name.
 */
export const capacity: Capacity = {
  measure: {
    text: (text) => text.length + 20,
    bank: (name) => 60 + name.length,
    account: (line) => 20 + accountLineText(line).length,
  },
  most: 28_000,
  maxText: 8000,
  rows: 400,
};

type Rich = string | Rich[] | { type: string; text: Rich; url?: string };

function drawRich(block: MessageBlock): object[] {
  switch (block.type) {
    case 'text':
      return paragraphs(block.text);
    case 'context':
      return [{ type: 'footer', text: disarm(block.text) }];
    case 'accounts':
      return [
        ...(block.banks.length > 0 ? [table(block)] : []),
        ...(block.more ? [{ type: 'footer', text: disarm(block.more) }] : []),
      ];
    case 'attention':
      return block.lines.map(attentionParagraph);
    case 'link':
      return [{ type: 'footer', text: { type: 'url', text: block.label, url: block.address } }];
  }
}

function attentionParagraph({ text, link }: AttentionLine): object {
  const words: Rich[] = [disarm(text)];
  if (link) words.push(' ', { type: 'url', text: link.label, url: link.address });
  return { type: 'paragraph', text: words };
}

function table(block: AccountsBlock): object {
  const sides = columnAlignments(block);
  const cells = tableRows(block).map(({ kind, cells: row }) =>
    row.map(({ text }, index) => ({
      text: kind === 'bank' && text ? { type: 'bold', text: disarm(text) } : disarm(text),
      ...(kind === 'heading' ? { is_header: true } : {}),
      align: sides[index],
      valign: 'top',
    })),
  );
  return { type: 'table', is_bordered: true, is_striped: true, cells };
}

/** A paragraph for each line; code of several lines is one block. */
function paragraphs(text: string): object[] {
  const drawn: object[] = [];
  let line: Rich[] = [];
  const end = () => {
    if (line.some((part) => part !== '')) drawn.push({ type: 'paragraph', text: line });
    line = [];
  };
  for (const span of parseSpans(text.trim())) {
    if (span.kind === 'block') {
      end();
      drawn.push({ type: 'pre', text: disarm(span.text) });
    } else if (span.kind === 'quote') {
      end();
      line = ['│ ', ...span.children.map(rich)];
      end();
    } else if (span.kind === 'text') {
      span.text.split('\n').forEach((piece, index) => {
        if (index > 0) end();
        if (piece !== '') line.push(disarm(piece));
      });
    } else {
      line.push(rich(span));
    }
  }
  end();
  return drawn;
}

const richKinds = { strong: 'bold', em: 'italic', s: 'strikethrough' } as const;

function rich(span: Span): Rich {
  switch (span.kind) {
    case 'text':
      return disarm(span.text);
    case 'code':
    case 'block':
      return { type: 'code', text: disarm(span.text) };
    case 'link':
      return { type: 'url', text: disarm(span.address), url: span.address };
    case 'quote':
      return span.children.map(rich);
    default:
      return { type: richKinds[span.kind], text: span.children.map(rich) };
  }
}

function drawPlain(block: MessageBlock): string {
  switch (block.type) {
    case 'text':
      return renderSpans(parseSpans(block.text.trim()), notation);
    case 'context':
      return `<i>${escaped(block.text)}</i>`;
    case 'accounts':
      return [
        ...(block.banks.length > 0 ? [`<pre>${escaped(columnLines(block).join('\n'))}</pre>`] : []),
        ...(block.more ? [`<i>${escaped(block.more)}</i>`] : []),
      ].join('\n');
    case 'attention':
      return block.lines
        .map(({ text, link }) => escaped(text) + (link ? ` ${anchor(link)}` : ''))
        .join('\n');
    case 'link':
      return anchor(block);
  }
}

function anchor({ label, address }: { label: string; address: string }): string {
  return `<a href="${escapeHtml(address)}">${escaped(label)}</a>`;
}

/** core.telegram.org/bots/api#html-style */
const notation: Notation = {
  text: escaped,
  code: (text) => `<code>${escaped(text)}</code>`,
  block: (text) => `<pre>${escaped(text)}</pre>`,
  strong: (inner) => `<b>${inner}</b>`,
  em: (inner) => `<i>${inner}</i>`,
  s: (inner) => `<s>${inner}</s>`,
  quote: (inner) => `<blockquote>${inner}</blockquote>`,
  link: (address) => `<a href="${escapeHtml(address)}">${escaped(address)}</a>`,
};

function escaped(text: string): string {
  return escapeHtml(disarm(text));
}

/** As Telegram counts: tags are no letters, an entity is one. */
function shownText(html: string): string {
  return html.replace(/<[^>]*>/g, '').replace(/&\w+;/g, '.');
}

/**
 * `@name` calls a person in any text, escaped or not, also where a style begins within it: a joiner of no
 * width ends it after the `@`.
 */
function disarm(text: string): string {
  return text.replace(/[@\uff20]/g, `$&${joiner}`);
}

const joiner = '\u2060';
