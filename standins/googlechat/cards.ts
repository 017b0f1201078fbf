import { escapeHtml } from '../service/pages.ts';

interface Card {
  card?: { sections?: { header?: string; widgets?: Widget[] }[] };
}

type Widget = {
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
    return [
      ...(sections.length === 0 || sections.length > 100 ? ['sections'] : []),
      ...(sections.some((section) => (section.widgets?.length ?? 0) > 100) ? ['widgets'] : []),
      ...(widgets.every((widget) => Object.keys(widget).every((name) => known.has(name)))
        ? []
        : ['widget']),
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

function drawWidget({ textParagraph, decoratedText }: Widget): string {
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
      /&lt;a href=&quot;(https?:[^&]*(?:&amp;[^&]*)*?)&quot;&gt;(.*?)&lt;\/a&gt;/g,
      '<a href="$1">$2</a>',
    )
    .replace(/&amp;#(\d+);/g, '&#$1;');
}
