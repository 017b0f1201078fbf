import type { AccountsBlock, MessageBlock } from '../../../../shared/contract/messages.ts';
import { accountLineText, type Capacity } from '../../../../shared/message/capacity.ts';
import { mailWords } from '../../../../shared/message/mail-words.ts';
import { textOf } from '../../../../shared/message/render.ts';
import { parseSpans } from '../../../../shared/message/spans.ts';
import { columnAlignments, type TableRow, tableRows } from '../../../../shared/message/table.ts';
import { escapeHtml } from '../../../platform/html.ts';
import { mailPage } from '../../../platform/mail/html.ts';
import { bytesOf, type Notation, renderSpans } from '../rendering.ts';

/** The two addresses in the footer of every mail. */
export interface Footer {
  /** The product. */
  home: string;
  /** Where the reader ends these mails. */
  unsubscribe: string;
}

/**
 * A message as HTML, with a true table. Styles stand on the elements and nothing is loaded from
 * elsewhere, so that it looks the same where a mail program allows the least.
 */
export function htmlBody(blocks: readonly MessageBlock[], { home, unsubscribe }: Footer): string {
  return mailPage(`${blocks.map(draw).join('\n')}
<p style="margin:24px 0 0"><a href="${escapeHtml(home)}" style="display:inline-block;padding:10px 18px;border-radius:10px;background:#1d56c9;color:#ffffff;font-weight:600;text-decoration:none">${mailWords.home}</a></p>
<p style="${quiet};margin:24px 0 0;padding-top:12px;border-top:1px solid #cccccc">${mailWords.reason} <a href="${escapeHtml(unsubscribe)}" style="color:inherit">${mailWords.unsubscribe}</a></p>`);
}

/** The same in plain text, complete. Some mail programs show a box for a narrow space. */
export function textBody(blocks: MessageBlock[], { home, unsubscribe }: Footer): string {
  const footer = `${mailWords.home}\u202f: ${home}\n\n-- \n${mailWords.reason}\n${mailWords.unsubscribe}\u202f: ${unsubscribe}`;
  const message = blocks.filter(({ type }) => type !== 'link').map(withEmoji);
  return `${textOf(message)}\n\n${footer}\n`.replace(/[\u202f\u00a0]/g, ' ');
}

function withEmoji(block: MessageBlock): MessageBlock {
  if (block.type !== 'text') return block;
  return { ...block, text: renderSpans(parseSpans(block.text), typed).trimEnd() };
}

/** In bytes of HTML: a well-known mail program cuts what is longer than about 102 kB. */
export const capacity: Capacity = {
  measure: {
    text: (text) => bytesOf(paragraph(text)),
    bank: (name) => 720 + bytesOf(escapeHtml(name)),
    account: (line) => 760 + bytesOf(escapeHtml(accountLineText(line))),
  },
  most: 85_000,
  maxText: 8000,
  rows: 400,
};

function draw(block: MessageBlock): string {
  switch (block.type) {
    case 'text':
      return paragraph(block.text);
    case 'context':
      return `<p style="${quiet};margin:0 0 16px">${escapeHtml(block.text)}</p>`;
    case 'accounts':
      return [
        ...(block.banks.length > 0 ? [table(block)] : []),
        ...(block.more
          ? [`<p style="${quiet};margin:0 0 16px">${escapeHtml(block.more)}</p>`]
          : []),
      ].join('\n');
    case 'attention':
      return `<p style="margin:0 0 16px;padding:8px 12px;border-left:4px solid #b45309;background:#fff7e6;color:#1f2937">${block.lines
        .map(({ text, link }) => escapeHtml(text) + (link ? ` ${anchor(link)}` : ''))
        .join('<br>\n')}</p>`;
    // The footer leads back, whatever the message says.
    case 'link':
      return '';
  }
}

function anchor({ label, address }: { label: string; address: string }): string {
  return `<a href="${escapeHtml(address)}" style="color:#1d4ed8">${escapeHtml(label)}</a>`;
}

function paragraph(text: string): string {
  return `<div style="margin:0 0 16px">${renderSpans(parseSpans(text.trim()), notation)}</div>`;
}

/** On a phone there is room for three columns: the age of a figure stands below its account. */
function table(block: AccountsBlock): string {
  const sides = columnAlignments(block).slice(0, -1);
  const [heading, ...rows] = tableRows(block);
  const cells = heading?.cells
    .slice(0, -1)
    .map(
      ({ text }, index) =>
        `<th scope="col" style="${cell};text-align:${sides[index]};border-bottom:2px solid #cccccc">${escapeHtml(text)}</th>`,
    );
  return `<table cellpadding="0" cellspacing="0" style="border-collapse:collapse;width:100%;margin:0 0 16px;font-size:13px;overflow-wrap:break-word;font-variant-numeric:tabular-nums">
<thead><tr>${cells?.join('')}</tr></thead>
<tbody>${rows.map((row) => drawRow(row, sides)).join('\n')}</tbody></table>`;
}

/** Amounts hold together by the spaces that do not break in them. */
function drawRow({ kind, cells: texts }: TableRow, sides: string[]): string {
  const age = texts.at(-1);
  const cells = texts.slice(0, -1).map(({ text, mark }, index) => {
    const side = sides[index] === 'right' ? ';text-align:right;white-space:nowrap' : '';
    const weight = kind === 'bank' ? ';font-weight:600;background:#f3f4f6' : '';
    const color = mark ? `;${colors[mark]}` : weight && ';color:#1f2937';
    const below = index === 0 && age?.text ? drawAge(age) : '';
    return `<td style="${cell};border-bottom:1px solid #e5e5e5${weight}${color}${side}">${escapeHtml(text)}${below}</td>`;
  });
  return `<tr>${cells.join('')}</tr>`;
}

function drawAge({ text, mark }: TableRow['cells'][number]): string {
  return `<div style="font-size:12px;font-weight:400;${mark ? colors[mark] : faint}">${escapeHtml(text)}</div>`;
}

/** With their own ground: a mail program may draw the rest on a dark one. */
const colors = {
  missing: 'color:#991b1b;background:#fef2f2',
  old: 'color:#92400e;background:#fff7e6',
};

const cell = 'padding:6px 3px;vertical-align:top';

/** Legible on a light ground and on a dark one, which no grey is. */
const faint = 'opacity:0.75';

const quiet = `font-size:13px;${faint}`;

const notation: Notation = {
  text: lines,
  code: (text) => `<code>${escapeHtml(text)}</code>`,
  block: (text) => `<pre style="white-space:pre-wrap;margin:8px 0">${escapeHtml(text)}</pre>`,
  strong: (inner) => `<strong>${inner}</strong>`,
  em: (inner) => `<em>${inner}</em>`,
  s: (inner) => `<s>${inner}</s>`,
  quote: (inner) =>
    `<blockquote style="margin:8px 0;padding-left:12px;border-left:4px solid #cccccc">${inner}</blockquote>`,
  link: (address) => `<a href="${escapeHtml(address)}">${escapeHtml(address)}</a>`,
};

/** As its author typed it. */
const typed: Notation = {
  text: (text) => text,
  code: (text) => `\`${text}\``,
  block: (text) => `\`\`\`\n${text}\n\`\`\``,
  strong: (inner) => `*${inner}*`,
  em: (inner) => `_${inner}_`,
  s: (inner) => `~${inner}~`,
  quote: (inner) => `${inner.replace(/^/gm, '> ')}\n`,
  link: (address) => address,
};

function lines(text: string): string {
  return escapeHtml(text).replaceAll('\n', '<br>\n');
}
