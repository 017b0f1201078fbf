import type { MessageBlock, MessageLink } from '../../../../shared/contract/messages.ts';
import { withoutLastAccount } from '../../../../shared/message/accounts-block.ts';
import type { Capacity } from '../../../../shared/message/capacity.ts';
import { columnLines } from '../../../../shared/message/columns.ts';
import { truncate } from '../../../../shared/message/render.ts';
import { parseSpans } from '../../../../shared/message/spans.ts';
import { encodedAddress, type Notation, renderSpans } from '../rendering.ts';

/**
 * The body of a message: discord.com/developers/docs/resources/webhook#execute-webhook. The text
 * before the list of accounts is the content, and the rest an embed, whose columns stand in a block of
 * one width. `allowed_mentions` keeps anything in it from calling anybody.
 */
export function bodyOf(text: string, blocks: readonly MessageBlock[]): object {
  const [first, ...rest] = blocks;
  const isTextFirst = first?.type === 'text';
  const content =
    blocks.length === 0 ? markdownOf(text) : isTextFirst ? markdownOf(first.text) : '';
  // A content that is too long goes on where there is more room.
  const isLong = content.length > maxContent;
  const room = maxDescription - (isLong ? content.length + 1 : 0);
  const description = descriptionOf(isTextFirst ? rest : blocks, room);
  const embedded = isLong ? [content, description].filter(Boolean).join('\n') : description;
  return {
    content: isLong ? '' : content,
    ...(embedded && { embeds: [{ description: cut(embedded, maxDescription) }] }),
    username: 'Tirelire',
    allowed_mentions: { parse: [] },
  };
}

/** One long figure widens the lines of all accounts: those that find no room are counted. */
function descriptionOf(blocks: readonly MessageBlock[], room: number): string {
  const drawn = blocks.map(draw).join('\n');
  const isNamed = blocks.some((block) => block.type === 'accounts' && block.banks.length > 0);
  if (drawn.length <= room || !isNamed) return drawn;
  const fewer = blocks.map((block) =>
    block.type === 'accounts' ? withoutLastAccount(block) : block,
  );
  return descriptionOf(fewer, room);
}

const maxContent = 2000;
const maxDescription = 4096;

/** In UTF-16 units, of the description alone: a content that finds no room in its own comes there too. */
export const capacity: Capacity = {
  measure: {
    text: (text) => markdownOf(text).length + 1,
    // Its line, and one with the age of its bank or what its accounts hold together.
    bank: (name) => 96 + Math.min(name.length, 40),
    // A change may stand on a line of its own.
    account: ({ age, change, isOverdrawn }) =>
      56 + age.length + (change ? 32 : 0) + (isOverdrawn ? 3 : 0),
  },
  most: 4000,
  maxText: 1600,
  rows: 60,
};

function draw(block: MessageBlock): string {
  if (block.type === 'text') return markdownOf(block.text);
  if (block.type === 'context') return small(block.text);
  if (block.type === 'link') return linkTo(block);
  if (block.type === 'attention') {
    return block.lines
      .map(({ text, link }) => escapeText(text) + (link ? ` ${linkTo(link)}` : ''))
      .join('\n');
  }
  return [
    ...(block.banks.length > 0 ? [fenced(columnLines(block))] : []),
    ...(block.more ? [small(block.more)] : []),
  ].join('\n');
}

/** Without a preview. The address is ours: nothing in it ends the link. */
function linkTo({ label, address }: MessageLink): string {
  return `[${label}](<${address}>)`;
}

function fenced(lines: string[]): string {
  return `\`\`\`\n${withoutTicks(lines.join('\n'))}\n\`\`\``;
}

function small(text: string): string {
  return `-# ${escapeText(text.replace(/\s*\n\s*/g, ' '))}`;
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${truncate(text, most - 20)}… (message coupé)`;
}

/** A text in the notation that all authors write in. */
export function markdownOf(text: string): string {
  return renderSpans(parseSpans(text), notation).trim();
}

/** discord.com/developers/docs/reference#message-formatting */
const notation: Notation = {
  text: escapeText,
  code: (text) => `\`${joinedInCode(text)}\``,
  block: (text) => `\n\`\`\`\n${withoutTicks(joinedInCode(text))}\n\`\`\`\n`,
  strong: (inner) => `**${inner}**`,
  em: (inner) => `_${inner}_`,
  s: (inner) => `~~${inner}~~`,
  quote: (inner) => `${inner.replace(/^/gm, '> ')}\n`,
  link,
};

/** Without a preview. Nothing but `@` and what would end it has a meaning between the two signs. */
function link(address: string): string {
  const target = encodedAddress(address, /[@\\`]/g);
  return target === null ? escapeText(address) : `<${target}>`;
}

/** Three backticks would end the block. */
function withoutTicks(text: string): string {
  return text.replaceAll('`', 'ˋ');
}

/** Signs of styles, of mentions (`<@1>`, `@everyone`) and of blocks that begin a line. */
function escapeText(text: string): string {
  return joined(text.replace(/[\\`*_~|[\]<>]|:(?=[\w+-]+:)/g, '\\$&'))
    .replace(/^(\s*)(-#|[#-])/gm, '$1\\$2')
    .replace(/^(\s*\d+)\./gm, '$1\\.');
}

/** `allowed_mentions` prevents the call itself; this keeps what was typed from being drawn as a mention. */
function joinedInCode(text: string): string {
  return text.replace(/[@<]/g, '$&\u2060');
}

function joined(text: string): string {
  return text.replaceAll('@', '@\u2060');
}
