import type { MessageBlock } from '../../../../shared/contract/messages.ts';
import type { Capacity } from '../../../../shared/message/capacity.ts';
import { textOf } from '../../../../shared/message/render.ts';
import { parseSpans } from '../../../../shared/message/spans.ts';
import { tableRows } from '../../../../shared/message/table.ts';
import { escapeHtml } from '../../../platform/html.ts';
import { letterPage } from '../../../platform/mail/letter.ts';
import { bytesOf, type Notation, print } from '../printing.ts';

/** The two addresses in the foot of every mail. */
export interface Foot {
  /** The product. */
  home: string;
  /** Where the reader ends these mails. */
  unsubscribe: string;
}

/**
 * A message as HTML, with a true table. Styles stand on the elements and nothing is loaded from
 * elsewhere, so that it looks the same where a mail program allows the least.
 */
export function htmlLetter(blocks: readonly MessageBlock[], { home, unsubscribe }: Foot): string {
  return letterPage(`${blocks.map(draw).join('\n')}
<p style="margin:24px 0 0"><a href="${escapeHtml(home)}" style="display:inline-block;padding:10px 18px;border-radius:10px;background:#1d56c9;color:#ffffff;font-weight:600;text-decoration:none">Ouvrir Tirelire</a></p>
<p style="${quiet};margin:24px 0 0;padding-top:12px;border-top:1px solid #cccccc">${stop} <a href="${escapeHtml(unsubscribe)}" style="color:inherit">Ne plus recevoir ces messages</a></p>`);
}

/** The same in plain text, complete. Some mail programs show a box for a narrow space. */
export function plainLetter(blocks: MessageBlock[], { home, unsubscribe }: Foot): string {
  const foot = `Ouvrir Tirelire\u202f: ${home}\n\n-- \n${stop}\nNe plus recevoir ces messages\u202f: ${unsubscribe}`;
  return `${textOf(blocks)}\n\n${foot}\n`.replace(/[\u202f\u00a0]/g, ' ');
}

const stop = 'Une personne qui utilise Tirelire a demandé que ce message arrive à cette adresse.';

/** In bytes of HTML: a well-known mail program cuts what is longer than about 102 kB. */
export const capacity: Capacity = {
  measure: {
    text: (text) => bytesOf(paragraph(text)),
    row: (bank, { name, amount, note }) => bytesOf(row([bank, name, withNote(amount, note)])),
  },
  most: 85_000,
  mostText: 8000,
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
        ...(block.banks.length > 0 ? [table(tableRows(block.banks))] : []),
        ...(block.more
          ? [`<p style="${quiet};margin:0 0 16px">${escapeHtml(block.more)}</p>`]
          : []),
      ].join('\n');
  }
}

function paragraph(text: string): string {
  return `<div style="margin:0 0 16px">${print(parseSpans(text.trim()), notation)}</div>`;
}

function table([heading = [], ...rows]: string[][]): string {
  const cells = heading.map((text, index) => {
    const side = index === heading.length - 1 ? 'right' : 'left';
    return `<th scope="col" style="${cell};text-align:${side};border-bottom:2px solid #cccccc">${escapeHtml(text)}</th>`;
  });
  return `<table cellpadding="0" cellspacing="0" style="border-collapse:collapse;width:100%;margin:0 0 16px;font-variant-numeric:tabular-nums">
<thead><tr>${cells.join('')}</tr></thead>
<tbody>${rows.map(row).join('\n')}</tbody></table>`;
}

/** Amounts hold together by the spaces that do not break in them. */
function row(texts: string[]): string {
  const cells = texts.map((text, index) => {
    const side = index === texts.length - 1 ? ';text-align:right' : '';
    return `<td style="${cell};border-bottom:1px solid #e5e5e5${side}">${escapeHtml(text)}</td>`;
  });
  return `<tr>${cells.join('')}</tr>`;
}

function withNote(amount: string, note: string | null): string {
  return note ? `${amount} (${note})` : amount;
}

const cell = 'padding:6px 0 6px 12px;vertical-align:top';

const quiet = 'font-size:13px;color:#6b7280';

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

function lines(text: string): string {
  return escapeHtml(text).replaceAll('\n', '<br>\n');
}
