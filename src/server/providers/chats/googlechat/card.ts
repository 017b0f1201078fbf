import type {
  AccountLine,
  AccountsBlock,
  MessageBlock,
  MessageLink,
} from '../../../../shared/contract/messages.ts';
import { accountLineText, type Capacity } from '../../../../shared/message/capacity.ts';
import { textOf as plainText } from '../../../../shared/message/render.ts';
import { parseSpans } from '../../../../shared/message/spans.ts';
import { bytesOf, type Notation, renderSpans } from '../rendering.ts';

/**
 * The body of a message: developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages.
 * The text before the list of accounts is the message's own, and the rest a card, because there is no
 * table: a section for each bank, and for each account its name and age beside its figures. What stands
 * in the message's own text is not said again in the words for those who see no cards.
 */
export function bodyOf(text: string, blocks: readonly MessageBlock[]): object {
  const [first, ...rest] = blocks;
  if (!first) return { text: textOf(text) };
  const isTextFirst = first.type === 'text';
  const sections = (isTextFirst ? rest : blocks).flatMap(sectionsOf);
  if (sections.length === 0) return { text: textOf(text) };
  return {
    ...(isTextFirst && { text: textOf(first.text) }),
    fallbackText: disarm(isTextFirst ? plainText(rest) : text),
    cardsV2: [{ cardId: 'soldes', card: { sections } }],
  };
}

/** 32,000 bytes hold the text and the cards together; what is drawn is in the fallback text too. */
export const capacity: Capacity = {
  measure: {
    text: (text) => 2 * bytesOf(JSON.stringify(escapeHtml(text))) + 80,
    // With the line of what its accounts hold together.
    bank: (name) => 500 + 2 * bytesOf(escapeHtml(name)),
    account: (line) => 390 + 2 * bytesOf(escapeHtml(accountLineText(line))),
  },
  most: 29_000,
  maxText: 5000,
  // A card has a hundred sections at most.
  rows: 95,
};

type Section = { header?: string; widgets: object[] };

function sectionsOf(block: MessageBlock): Section[] {
  switch (block.type) {
    case 'accounts': {
      const more = block.more ? [{ widgets: [{ textParagraph: { text: block.more } }] }] : [];
      const since =
        block.since && paragraph(`<i>${escapeHtml(block.since)}, sous le solde</i>`, null);
      const heading = since ? [{ widgets: [since] }] : [];
      return [...heading, ...block.banks.map(bankSection), ...more];
    }
    case 'attention':
      return [{ widgets: block.lines.map(({ text, link }) => paragraph(escapeHtml(text), link)) }];
    case 'link':
      return [{ widgets: [paragraph('', block)] }];
    default:
      return [{ widgets: [paragraph(renderSpans(parseSpans(block.text), html), null)] }];
  }
}

function paragraph(text: string, link: MessageLink | null): object {
  const anchor = link && `<a href="${escapeHtml(link.address)}">${escapeHtml(link.label)}</a>`;
  return { textParagraph: { text: [text, anchor].filter(Boolean).join(' ') } };
}

type Bank = AccountsBlock['banks'][number];

function bankSection({ name, lines, subtotal }: Bank): Section {
  const together = subtotal && { ...subtotal, name: 'Ensemble', age: '', isOld: false };
  return {
    header: escapeHtml(name),
    widgets: [...lines, ...(together ? [together] : [])].map(lineOf),
  };
}

/**
 * Two columns, the second at the right: developers.google.com/workspace/chat/api/reference, "Columns".
 */
function lineOf({ name, amount, change, age, isOverdrawn, isOld }: AccountLine): object {
  const figure = isOverdrawn
    ? `<font color="#d93025">⚠️ ${escapeHtml(amount)}</font>`
    : escapeHtml(amount);
  const moved = change ? `<br><font color="#5f6368">${escapeHtml(change)}</font>` : '';
  const words = isOld ? `⚠️ ${age}` : age;
  return {
    columns: {
      columnItems: [
        {
          horizontalSizeStyle: 'FILL_AVAILABLE_SPACE',
          widgets: [
            {
              decoratedText: {
                text: escapeHtml(name),
                ...(words && { bottomLabel: escapeHtml(words) }),
                wrapText: true,
              },
            },
          ],
        },
        {
          horizontalSizeStyle: 'FILL_MINIMUM_SPACE',
          horizontalAlignment: 'END',
          widgets: [{ textParagraph: { text: figure + moved } }],
        },
      ],
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
  return renderSpans(parseSpans(text), notation).trim();
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
