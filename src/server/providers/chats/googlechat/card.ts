import type { AccountLine, MessageBlock } from '../../../../shared/contract/messages.ts';
import type { Capacity } from '../../../../shared/message/capacity.ts';
import { parseSpans } from '../../../../shared/message/spans.ts';
import { bytesOf, type Notation, print } from '../printing.ts';

/**
 * The body of a message: developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages.
 * The text before the list of accounts is the message's own, and the rest a card, because there is no
 * table: a section for each bank, a line for each account.
 */
export function bodyOf(text: string, blocks: readonly MessageBlock[]): object {
  const [first, ...rest] = blocks;
  if (!first) return { text: textOf(text) };
  const isTextFirst = first.type === 'text';
  const sections = (isTextFirst ? rest : blocks).flatMap(sectionsOf);
  if (sections.length === 0) return { text: textOf(text) };
  return {
    ...(isTextFirst && { text: textOf(first.text) }),
    fallbackText: disarm(text),
    cardsV2: [{ cardId: 'soldes', card: { sections } }],
  };
}

/** 32,000 bytes hold the text and the cards together; what is drawn is in the fallback text too. */
export const capacity: Capacity = {
  measure: {
    text: (text) => 2 * bytesOf(JSON.stringify(escapeHtml(text))) + 80,
    row: (bank, { name, amount, note }) =>
      220 + 2 * bytesOf(escapeHtml(bank + name + amount + (note ?? ''))),
  },
  most: 29_000,
  mostText: 5000,
  // A card has a hundred sections at most.
  rows: 95,
};

type Section = { header?: string; widgets: object[] };

function sectionsOf(block: MessageBlock): Section[] {
  if (block.type !== 'accounts') {
    return [{ widgets: [{ textParagraph: { text: print(parseSpans(block.text), html) } }] }];
  }
  const banks = block.banks.map(({ name, lines }) => ({
    header: escapeHtml(name),
    widgets: lines.map(lineOf),
  }));
  const more = block.more ? [{ widgets: [{ textParagraph: { text: block.more } }] }] : [];
  return [...banks, ...more];
}

function lineOf({ name, amount, note }: AccountLine): object {
  return {
    decoratedText: {
      topLabel: escapeHtml(name),
      text: escapeHtml(amount),
      ...(note && { bottomLabel: escapeHtml(note) }),
      wrapText: true,
    },
  };
}

/** Texts of a card read a little HTML. */
const html: Notation = {
  text: (text) => escapeHtml(text).replaceAll('\n', '<br>'),
  code: escapeHtml,
  block: (text) => `<br>${escapeHtml(text).replaceAll('\n', '<br>')}<br>`,
  strong: (inner) => `<b>${inner}</b>`,
  em: (inner) => `<i>${inner}</i>`,
  s: (inner) => `<s>${inner}</s>`,
  quote: (inner) => `${inner}<br>`,
  link: (address) => `<a href="${escapeHtml(address)}">${escapeHtml(address)}</a>`,
};

function escapeHtml(text: string): string {
  return disarm(text).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** A text in the notation that all authors write in, which is nearly Google's. */
function textOf(text: string): string {
  return print(parseSpans(text), notation).trim();
}

/** developers.google.com/workspace/chat/format-messages: there is no sign that escapes another. */
const notation: Notation = {
  text: disarm,
  code: (text) => `\`${disarm(text)}\``,
  block: (text) => `\`\`\`\n${disarm(text)}\n\`\`\``,
  strong: (inner) => `*${inner}*`,
  em: (inner) => `_${inner}_`,
  s: (inner) => `~${inner}~`,
  quote: (inner) => `${inner.replace(/^/gm, '> ')}\n`,
  link: (address) => address,
};

/** `<users/all>` calls everybody, and `<address|name>` hides where it leads: a joiner ends both. */
function disarm(text: string): string {
  return text.replaceAll('<', '<\u2060');
}
