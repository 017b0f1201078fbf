import { escapeHtml } from '../service/pages.ts';

/** Mattermost's Markdown as HTML, as far as the product writes it. HTML in it is shown, never obeyed. */
export function drawMarkdown(text: string): string {
  return text
    .split(/(^```\n[\s\S]*?\n```$)/m)
    .map((part, index) =>
      index % 2 === 1 ? `<pre>${escapeHtml(part.slice(4, -4))}</pre>` : drawParagraphs(part),
    )
    .join('');
}

function drawParagraphs(text: string): string {
  return text
    .split(/\n{2,}/)
    .filter((part) => part.trim() !== '')
    .map((part) => drawParagraph(part.trim()))
    .join('');
}

function drawParagraph(part: string): string {
  const lines = part.split('\n');
  if (/^\|(:?-+:?\|)+$/.test(lines[1] ?? '')) return drawTable(lines);
  if (lines.every((line) => line.startsWith('> '))) {
    return `<blockquote>${lines.map((line) => drawInline(line.slice(2))).join('<br>')}</blockquote>`;
  }
  return `<p>${lines.map(drawInline).join('<br>')}</p>`;
}

function drawTable([heading = '', sides = '', ...rows]: string[]): string {
  const ends = cellsOf(sides).map((side) => side.endsWith(':') && !side.startsWith(':'));
  const draw = (line: string, cell: 'th' | 'td') =>
    `<tr>${cellsOf(line)
      .map(
        (text, at) => `<${cell}${ends[at] ? ' class="right"' : ''}>${drawInline(text)}</${cell}>`,
      )
      .join('')}</tr>`;
  const body = rows.map((row) => draw(row, 'td')).join('');
  return `<table><thead>${draw(heading, 'th')}</thead><tbody>${body}</tbody></table>`;
}

function cellsOf(line: string): string[] {
  return line
    .replace(/^\|\s*|\s*\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

/**
 * Signs after a backslash are put aside, so that they style nothing: those that the server's own program
 * takes from one. Before another, and before a letter, a backslash is itself.
 */
function drawInline(line: string): string {
  const aside: string[] = [];
  const keep = (html: string) => `\ue000${aside.push(html) - 1}\ue001`;
  return escapeHtml(
    line.replace(/\\([`*{}[\]()#+\-.!_>|~]|\\(?!\w))/g, (_all, sign) => keep(escapeHtml(sign))),
  )
    .replace(/`([^`]+)`/g, (_all, code) => keep(`<code>${code}</code>`))
    .replace(/!\[([^\]]*)\]\((https?:[^)\s]*)\)/g, '<img alt="$1">')
    .replace(/\[([^\]]*)\]\((https?:[^)\s]*)\)/g, '<a href="$2" rel="noreferrer">$1</a>')
    .replace(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')
    .replace(/(?<![\p{L}\p{N}])_(.+?)_(?![\p{L}\p{N}])/gu, '<em>$1</em>')
    .replace(/\*(.+?)\*/g, '<em>$1</em>')
    .replace(/~~(.+?)~~/g, '<s>$1</s>')
    .replace(/\ue000(\d+)\ue001/g, (_all, at) => aside[Number(at)] ?? '');
}
