import { escapeHtml } from './escape-html.ts';
import { drawText } from './mrkdwn.ts';

interface Text {
  type?: string;
  text?: string;
  verbatim?: boolean;
}

interface Block {
  type?: string;
  text?: Text;
  fields?: Text[];
  elements?: Text[];
  rows?: Text[][];
  title?: string;
  alt_text?: string;
}

/** The blocks of a message, plainly: what cannot be drawn is named. */
export function drawBlocks(blocks: unknown[]): string {
  return blocks.map((block) => `<div class="block">${drawBlock(block as Block)}</div>`).join('');
}

function drawBlock(block: Block): string {
  if (block.type === 'header') return `<h2>${escapeHtml(block.text?.text ?? '')}</h2>`;
  if (block.type === 'divider') return '<hr>';
  if (block.type === 'section') return drawSection(block);
  if (block.type === 'context') {
    return `<p class="quiet">${(block.elements ?? []).map(drawPart).join(' ')}</p>`;
  }
  if (block.type === 'table') return drawTable(block.rows ?? []);
  if (block.type === 'markdown') return `<p>${escapeHtml(String(block.text ?? ''))}</p>`;
  const name = block.title ?? block.alt_text ?? block.type ?? '';
  return `<p class="quiet">[${escapeHtml(String(name))}]</p>`;
}

function drawSection(block: Block): string {
  const text = block.text ? `<p>${drawPart(block.text)}</p>` : '';
  const fields = (block.fields ?? []).map((field) => `<p>${drawPart(field)}</p>`).join('');
  return text + (fields ? `<div class="fields">${fields}</div>` : '');
}

function drawTable(rows: Text[][]): string {
  const draw = (row: Text[], cell: 'th' | 'td') =>
    `<tr>${row.map(({ text }) => `<${cell}>${escapeHtml(text ?? '')}</${cell}>`).join('')}</tr>`;
  const [heading = [], ...lines] = rows;
  const body = lines.map((row) => draw(row, 'td')).join('');
  return `<div class="table"><table><thead>${draw(heading, 'th')}</thead><tbody>${body}</tbody></table></div>`;
}

function drawPart(part: Text): string {
  if (part.type !== 'mrkdwn') return escapeHtml(part.text ?? '');
  return drawText(part.text ?? '', part.verbatim !== true);
}
