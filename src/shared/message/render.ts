import type { AccountLine, AccountsBlock, MessageBlock } from '../contract/messages.ts';
import { accountsBlock } from './accounts-block.ts';
import { attentionLines } from './attention.ts';
import { type Capacity, defaultCapacity } from './capacity.ts';
import { distinctAccounts } from './duplicates.ts';
import type { MessageAccount, MessageData } from './figures.ts';
import { accountsNamed } from './names.ts';
import { amountCell } from './table.ts';
import { accountValue, asOfText, coveredAccounts, variableValue } from './values.ts';
import { haveVariables, type Part, type PlainVariable, parseMessage } from './variables.ts';

/**
 * A message with its variables filled in, from what is given alone: the same for a preview, a test
 * and the daily sending. A text without variables is one block of its own letters. What needs attention
 * stands before the list of accounts, or after the text; the way back to the web app ends a message that
 * says figures. Names come out neutralized; what a chat escapes of its own notation is left to that
 * chat. Nothing is longer than the chat's `capacity` allows.
 */
export function renderMessage(
  text: string,
  data: MessageData,
  capacity: Capacity = defaultCapacity,
): MessageBlock[] {
  const parts = parseMessage(text);
  if (!haveVariables(parts)) return [{ type: 'text', text }];
  const covered = coveredAccounts(data);
  // An account that a total leaves out, since it comes through another source, ages nothing.
  const counted = distinctAccounts(covered).map(({ account }) => account);
  const figures = accountsIn(parts, data, balanceVariables, counted);
  const lines = attentionLines(accountsIn(parts, data, bankVariables, covered), data);
  const attention: MessageBlock[] = lines.length > 0 ? [{ type: 'attention', lines }] : [];
  const back = saysFigures(parts) ? [appLink(data.publicUrl)] : [];
  const sizeOf = (texts: string[]) =>
    texts.reduce((sum, piece) => sum + capacity.measure.text(piece), 0);
  const surroundings = [asOfText(figures, data) ?? '', ...[...attention, ...back].map(linesOf)];
  const roomForTexts = capacity.most - sizeOf(surroundings);
  const texts = textsOf(parts, data);
  const [before = '', ...after] = within(texts, mostOfTexts(texts, capacity, roomForTexts));
  const room = roomForTexts - sizeOf([before, ...after]);
  const list = after.length > 0 ? accountsBlock(covered, data, capacity, room) : null;
  // Each row of the list has its own date.
  const shown = new Set(list?.shown);
  const given = asOfText(
    figures.filter((account) => !shown.has(account)),
    data,
  );
  return [
    ...textBlock(before),
    ...attention,
    ...(list ? [list.block] : []),
    ...after.flatMap(textBlock),
    ...(given ? [{ type: 'context', text: given } as const] : []),
    ...back,
  ];
}

/** The last line of what says figures: it leads to the web app. */
export function appLink(publicUrl: string): MessageBlock {
  return { type: 'link', label: 'Ouvrir Tirelire', address: `${publicUrl}/` };
}

/** The same in plain text, complete: what a screen reader and a notification read. */
export function textOf(blocks: readonly MessageBlock[]): string {
  return blocks.map(linesOf).join('\n');
}

function textBlock(text: string): MessageBlock[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

/** The texts before and after the list, without the blanks that touched it; one without a list. */
function textsOf(parts: Part[], data: MessageData): string[] {
  const pieces = [''];
  const written = writerOf(data);
  for (const part of parts) {
    const isList = part.kind === 'variable' && part.name === 'soldes';
    if (isList && pieces.length === 1) pieces.push('');
    else pieces[pieces.length - 1] += written(part);
  }
  return pieces.map((piece, index) => {
    const before = index === 0 ? piece : piece.replace(/^[ \t]*\n?/, '');
    return index === pieces.length - 1 ? before : before.replace(/\n?(?<![ \t])[ \t]*$/, '');
  });
}

/** In UTF-16 units. A text without a list has all the room, less what its chat writes beside its letters. */
function mostOfTexts(texts: string[], { maxText, measure }: Capacity, room: number): number {
  const [only = '', ...others] = texts;
  if (others.length > 0 || only.length <= maxText) return maxText;
  const longest = truncate(only, mostAlone);
  const beside = measure.text(longest) - longest.length;
  return Math.max(maxText, Math.min(room - beside, mostAlone));
}

/** UTF-16 units: a text that may be saved is shorter, also with most values. */
const mostAlone = 8000;

function within(texts: string[], most: number): string[] {
  let room = most;
  return texts.map((text) => {
    const left = room;
    room -= text.length;
    if (room >= 0) return text;
    return left < 0 ? '' : `${truncate(text, left)}… (message coupé)`;
  });
}

/** Up to `most` UTF-16 units, without half of a surrogate pair at the end. */
export function truncate(text: string, most: number): string {
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
}

/** Each variable is computed once, however often a text repeats it: its value may span every account. */
function writerOf(data: MessageData): (part: Part) => string {
  const values = new Map<PlainVariable, string>();
  return (part) => {
    switch (part.kind) {
      case 'text':
        return part.text;
      case 'account':
        return accountValue(part.account, data);
      case 'unknown':
        return `{{${part.written}}}`;
      case 'variable': {
        const value = values.get(part.name) ?? plainValue(part.name, data);
        values.set(part.name, value);
        return value;
      }
    }
  };
}

/** A second list is drawn as it is written: a text with two cannot be saved. */
function plainValue(name: PlainVariable, data: MessageData): string {
  return name === 'soldes' ? '{{soldes}}' : variableValue(name, data);
}

/** The accounts that the message names, and `all` when it has one of these variables, in the usual order. */
function accountsIn(
  parts: Part[],
  { accounts }: MessageData,
  variables: ReadonlySet<PlainVariable>,
  all: MessageAccount[],
): MessageAccount[] {
  const areAll = parts.some((part) => part.kind === 'variable' && variables.has(part.name));
  const found = new Set<MessageAccount>(areAll ? all : []);
  for (const part of parts) {
    const named = part.kind === 'account' ? accountsNamed(part.account, accounts) : [];
    const [only] = named.length === 1 ? named : [];
    if (only) found.add(only);
  }
  return accounts.filter((account) => found.has(account));
}

function saysFigures(parts: Part[]): boolean {
  return parts.some(
    (part) =>
      part.kind === 'account' || (part.kind === 'variable' && figureVariables.has(part.name)),
  );
}

/** They say balances, of which the message says the age. */
const balanceVariables: ReadonlySet<PlainVariable> = new Set(['soldes', 'total', 'variation']);
/** They say amounts: the message leads back to the web app. */
const figureVariables: ReadonlySet<PlainVariable> = new Set([...balanceVariables, 'operations']);
/** They speak of banks, of which the message says what needs attention. */
const bankVariables: ReadonlySet<PlainVariable> = new Set([...figureVariables, 'banque']);

function linesOf(block: MessageBlock): string {
  switch (block.type) {
    case 'attention':
      return block.lines
        .map(({ text, link }) => (link ? `${text} ${linkText(link)}` : text))
        .join('\n');
    case 'link':
      return linkText(block);
    case 'accounts':
      return listText(block);
    default:
      return block.text;
  }
}

function linkText({ label, address }: { label: string; address: string }): string {
  return `${label}\u202f: ${address}`;
}

function listText({ banks, since, more }: AccountsBlock): string {
  const compared = since ? ` ${since.toLowerCase()}` : null;
  const lines: string[] = [];
  for (const { name, lines: accounts, subtotal } of banks) {
    const isMixed = accounts.some(({ isSinceEarlier }) => isSinceEarlier);
    const sum = subtotal && figuresText(subtotal, isMixed ? unsaid : compared);
    lines.push(sum ? `${name}\u202f: ${sum}` : name);
    for (const line of accounts) {
      const figures = figuresText(line, line.isSinceEarlier ? unsaid : compared);
      lines.push(`• ${line.name}\u202f: ${figures} · ${line.isOld ? '⚠️ ' : ''}${line.age}`);
    }
  }
  if (more) lines.push(more);
  return lines.join('\n');
}

/** The ages of accounts say since when. */
const unsaid = '';

/** `compared` follows a change that says how much; null without a message to compare with. */
function figuresText(
  { amount, change, isOverdrawn }: Pick<AccountLine, 'amount' | 'change' | 'isOverdrawn'>,
  compared: string | null,
): string {
  const { text } = amountCell(amount, isOverdrawn);
  if (change === null || compared === null) return text;
  return `${text} · ${change}${/\d/.test(change) ? compared : ''}`;
}
