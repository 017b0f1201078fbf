import { appIcon, escapeHtml } from '../../service/pages.ts';
import { textContent } from '../methods/validity.ts';
import type { Channel, Message, Team } from '../state.ts';
import { type ChartBlock, drawChart } from './chart.ts';
import { drawText } from './mrkdwn.ts';

/** The messages of a channel, oldest first, a line between days. Hours are those of Paris. */
export function drawThread(team: Team, channel: Channel): string {
  const messages = team.messages.get(channel.id) ?? [];
  if (messages.length === 0) return '<p class="quiet">Aucun message dans ce channel.</p>';
  let day = '';
  const lines = messages.map((message) => {
    const next = dayFormat.format(dateOf(message));
    const line = next === day ? '' : `<li class="day"><span>${next}</span></li>`;
    day = next;
    return line + drawMessage(message);
  });
  return `<ol class="thread">${lines.join('')}</ol>`;
}

function drawMessage(message: Message): string {
  const at = dateOf(message);
  const body = message.blocks ? drawBlocks(message.blocks) : `<div>${drawText(message.text)}</div>`;
  return `<li class="message">${appIcon('class="avatar"')}<div>
<p class="who"><b>Tirelire</b><span class="app">APPLI</span><time datetime="${at.toISOString()}">${hourFormat.format(at)}</time></p>
${body}</div></li>`;
}

/** The answer to a command, which goes with the page. */
export function drawCommandAnswer({ text, blocks }: Pick<Message, 'text' | 'blocks'>): string {
  const body = blocks ? drawBlocks(blocks) : `<div>${drawText(text)}</div>`;
  return `<div class="message shown" role="status">${appIcon('class="avatar"')}<div>
<p class="quiet">Visible par vous uniquement</p>
<p class="who"><b>Tirelire</b><span class="app">APPLI</span></p>
${body}</div></div>`;
}

function dateOf(message: Message): Date {
  return new Date(Number(message.ts) * 1000);
}

const dayFormat = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'full', timeZone: 'Europe/Paris' });
const hourFormat = new Intl.DateTimeFormat('fr-FR', {
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'Europe/Paris',
});

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
  rows?: unknown[][];
  column_settings?: ({ align?: string } | null)[];
  title?: string;
  alt_text?: string;
}

/** The blocks of a message, plainly: what cannot be drawn is named. */
function drawBlocks(blocks: unknown[]): string {
  return blocks.map((block) => `<div class="block">${drawBlock(block as Block)}</div>`).join('');
}

function drawBlock(block: Block): string {
  if (block.type === 'header') return `<h2>${escapeHtml(block.text?.text ?? '')}</h2>`;
  if (block.type === 'divider') return '<hr>';
  if (block.type === 'section') return drawSection(block);
  if (block.type === 'context') {
    return `<p class="quiet">${(block.elements ?? []).map(drawPart).join(' ')}</p>`;
  }
  if (block.type === 'data_visualization') return drawChart(block as ChartBlock);
  if (block.type === 'table') return drawTable(block);
  if (block.type === 'markdown') return `<p>${escapeHtml(String(block.text ?? ''))}</p>`;
  const name = block.title ?? block.alt_text ?? block.type ?? '';
  return `<p class="quiet">[${escapeHtml(String(name))}]</p>`;
}

function drawSection(block: Block): string {
  const text = block.text ? `<p>${drawPart(block.text)}</p>` : '';
  const fields = (block.fields ?? []).map((field) => `<p>${drawPart(field)}</p>`).join('');
  return text + (fields ? `<div class="fields">${fields}</div>` : '');
}

/** Cells of rich text are bold here: the product writes them so. */
function drawTable({ rows = [], column_settings: columns = [] }: Block): string {
  const draw = (row: unknown[], tag: 'th' | 'td') => {
    const cells = row.map((cell, index) => {
      const side = columns[index]?.align === 'right' ? ' class="right"' : '';
      const text = escapeHtml(textContent(cell));
      const isRich = (cell as Text | null)?.type === 'rich_text';
      return `<${tag}${side}>${isRich ? `<b>${text}</b>` : text}</${tag}>`;
    });
    return `<tr>${cells.join('')}</tr>`;
  };
  const [heading = [], ...lines] = rows;
  const body = lines.map((row) => draw(row, 'td')).join('');
  return `<div class="table" role="group" aria-label="Tableau" tabindex="0"><table><thead>${draw(heading, 'th')}</thead><tbody>${body}</tbody></table></div>`;
}

function drawPart(part: Text): string {
  if (part.type !== 'mrkdwn') return escapeHtml(part.text ?? '');
  return drawText(part.text ?? '', part.verbatim !== true);
}
