import { escapeHtml } from '../service/pages.ts';

interface Card {
  card?: { sections?: { header?: string; widgets?: Widget[] }[] };
}

type Widget = {
  columns?: { columnItems?: { horizontalAlignment?: string; widgets?: Widget[] }[] };
  textParagraph?: { text?: string };
  decoratedText?: { topLabel?: string; text?: string; bottomLabel?: string };
};

/** What Google Chat refuses of cards: too many sections or widgets, and widgets that it does not know. */
export function cardFaults(cards: unknown): string[] {
  if (cards === undefined) return [];
  if (!Array.isArray(cards)) return ['cardsV2'];
  return cards.flatMap(({ card }: Card) => {
    const sections = card?.sections ?? [];
    const widgets = sections.flatMap((section) => section.widgets ?? []);
    const columns = widgets.flatMap((widget) => widget.columns?.columnItems ?? []);
    return [
      ...(sections.length === 0 || sections.length > 100 ? ['sections'] : []),
      ...(sections.some((section) => (section.widgets?.length ?? 0) > 100) ? ['widgets'] : []),
      ...(widgets.every((widget) => Object.keys(widget).every((name) => known.has(name)))
        ? []
        : ['widget']),
      // At most two beside each other, and none within another.
      ...(widgets.some((widget) => (widget.columns?.columnItems?.length ?? 0) > 2)
        ? ['columns']
        : []),
      ...(columns.some((column) => column.widgets?.some((widget) => widget.columns))
        ? ['columns in columns']
        : []),
    ];
  });
}

const known = new Set(['textParagraph', 'decoratedText', 'columns', 'buttonList', 'divider']);

export function drawCards(cards: unknown): string {
  if (!Array.isArray(cards)) return '';
  return cards
    .map(
      ({ card }: Card) =>
        `<div class="card">${(card?.sections ?? []).map(drawSection).join('')}</div>`,
    )
    .join('');
}

function drawSection({ header, widgets = [] }: { header?: string; widgets?: Widget[] }): string {
  return (header ? `<h3>${simple(header)}</h3>` : '') + widgets.map(drawWidget).join('');
}

function drawWidget({ columns, textParagraph, decoratedText }: Widget): string {
  if (columns) {
    const drawn = (columns.columnItems ?? []).map(({ horizontalAlignment, widgets = [] }) => {
      const side = horizontalAlignment === 'END' ? ' class="right"' : '';
      return `<div${side}>${widgets.map(drawWidget).join('')}</div>`;
    });
    return `<div class="columns">${drawn.join('')}</div>`;
  }
  if (textParagraph) return `<p>${simple(textParagraph.text ?? '')}</p>`;
  const { topLabel = '', text = '', bottomLabel } = decoratedText ?? {};
  const note = bottomLabel ? `<small>${simple(bottomLabel)}</small>` : '';
  return `<div class="row"><small>${simple(topLabel)}</small>${simple(text)}${note}</div>`;
}

/** The few marks that cards know; all other HTML is letters. */
function simple(text: string): string {
  return escapeHtml(text)
    .replace(/&lt;(\/?(?:b|i|s|br))&gt;/g, '<$1>')
    .replace(
      /&lt;font color=&quot;(#[0-9a-f]{6})&quot;&gt;(.*?)&lt;\/font&gt;/g,
      '<span style="color:$1">$2</span>',
    )
    .replace(
      /&lt;a href=&quot;(https?:[^&]*(?:&amp;[^&]*)*?)&quot;&gt;(.*?)&lt;\/a&gt;/g,
      '<a href="$1">$2</a>',
    )
    .replace(/&amp;#(\d+);/g, '&#$1;');
}
