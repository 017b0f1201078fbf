import { escapeHtml } from '../service/pages.ts';

interface Element {
  type?: string;
  text?: string;
  weight?: string;
  color?: string;
  style?: string;
  italic?: boolean;
  strikethrough?: boolean;
  fontType?: string;
  isSubtle?: boolean;
  selectAction?: { type?: string; url?: string };
  inlines?: Element[];
  items?: Element[];
  cells?: Element[];
  rows?: Element[];
  columns?: { width?: number; horizontalCellContentAlignment?: string }[];
  fallback?: Element;
}

/** Why a run fails: an element that cards of version 1.5 do not know, or an action without a bot. */
export function cardFault(body: Record<string, unknown>): string | null {
  const elements = cardOf(body);
  if (elements.length === 0) return 'empty';
  if (JSON.stringify(body).includes('Action.Submit')) return 'Action.Submit';
  const unknown = elements.flatMap(typesOf).find((type) => !known.has(type));
  return unknown ?? null;
}

const known = new Set(['RichTextBlock', 'TextBlock', 'TextRun', 'Table', 'TableRow', 'TableCell']);

function cardOf(body: Record<string, unknown>): Element[] {
  const [first] = (body.attachments ?? []) as { content?: { body?: Element[] } }[];
  return first?.content?.body ?? [];
}

function partsOf({ inlines = [], items = [], cells = [], rows = [] }: Element): Element[] {
  return [...inlines, ...items, ...cells, ...rows];
}

function typesOf(element: Element): string[] {
  return [String(element.type), ...partsOf(element).flatMap(typesOf)];
}

/** All letters that the card shows. */
export function textOf(body: Record<string, unknown>): string {
  return cardOf(body).map(elementText).join('\n');
}

function elementText(element: Element): string {
  return [element.text ?? '', ...partsOf(element).map(elementText)].join('');
}

export function drawMessage(body: Record<string, unknown>): string {
  return `<div class="card">${cardOf(body).map(drawElement).join('')}</div>`;
}

function drawElement(element: Element): string {
  if (element.type === 'Table') return drawTable(element);
  const runs = element.inlines ?? [element];
  const text = runs.map(drawRun).join('');
  return runs.every(({ isSubtle }) => isSubtle) ? `<p class="quiet">${text}</p>` : `<p>${text}</p>`;
}

function drawTable({ rows: [heading, ...rows] = [], columns = [] }: Element): string {
  const draw = ({ cells = [], style }: Element, tag: 'th' | 'td') => {
    const drawn = cells.map(({ items = [] }, index) => {
      const isRight = columns[index]?.horizontalCellContentAlignment === 'Right';
      return `<${tag}${isRight ? ' class="right"' : ''}>${items.map(drawElement).join('')}</${tag}>`;
    });
    return `<tr${style ? ` class="${escapeHtml(style)}"` : ''}>${drawn.join('')}</tr>`;
  };
  const body = rows.map((row) => draw(row, 'td')).join('');
  // The columns share the width of the card by their weights, however narrow it is.
  const all = columns.reduce((sum, { width = 1 }) => sum + width, 0);
  const widths = columns.map(({ width = 1 }) => `<col style="width:${(100 * width) / all}%">`);
  return `<table><colgroup>${widths.join('')}</colgroup><thead>${heading ? draw(heading, 'th') : ''}</thead><tbody>${body}</tbody></table>`;
}

/** A run reads no Markdown. */
function drawRun({ text = '', ...run }: Element) {
  const { weight, italic, strikethrough, fontType, color, selectAction } = run;
  let html = escapeHtml(text);
  if (fontType === 'Monospace') html = `<code>${html}</code>`;
  if (weight === 'Bolder') html = `<strong>${html}</strong>`;
  if (color) html = `<span class="${escapeHtml(color.toLowerCase())}">${html}</span>`;
  if (italic) html = `<em>${html}</em>`;
  if (strikethrough) html = `<s>${html}</s>`;
  const { url = '' } = selectAction ?? {};
  return /^https?:/.test(url) ? `<a href="${escapeHtml(url)}" rel="noreferrer">${html}</a>` : html;
}
