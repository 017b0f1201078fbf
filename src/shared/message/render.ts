import type { AccountLine, MessageBlock } from '../contract/messages.ts';
import { type Capacity, usualCapacity } from './capacity.ts';
import type { MessageAccount, MessageData } from './figures.ts';
import { accountsNamed, bankNameOf, nameOf } from './names.ts';
import { neutralize } from './neutralize.ts';
import { repetitionNotes } from './repeated.ts';
import { accountValue, describeBalance, givenText, silenceText, variableValue } from './values.ts';
import { hasVariables, type Part, type PlainVariable, parseMessage } from './variables.ts';

/**
 * A message with its variables filled in, from what is given alone: the same for a preview, a test
 * and the daily sending. A text without variables is one block of its own letters. Names come out
 * neutralized; what a chat escapes of its own notation is left to that chat. Nothing is longer than
 * the chat's `capacity` allows.
 */
export function renderMessage(
  text: string,
  data: MessageData,
  capacity: Capacity = usualCapacity,
): MessageBlock[] {
  if (!hasVariables(text)) return [{ type: 'text', text }];
  const parts = parseMessage(text);
  const pieces = textsOf(parts, data, capacity);
  const notes = [
    silenceText(accountsIn(parts, data, ofBanks), data),
    givenText(accountsIn(parts, data, ofFigures), data),
  ].filter((note) => note !== null);
  const { most, measure } = capacity;
  const room = most - measure.text(pieces.join('')) - measure.text(notes.join('\n'));
  const blocks: MessageBlock[] = [];
  pieces.forEach((piece, index) => {
    if (index > 0) blocks.push(accountsBlock(data, capacity, room));
    if (piece.trim() !== '') blocks.push({ type: 'text', text: piece });
  });
  for (const note of notes) blocks.push({ type: 'context', text: note });
  return blocks;
}

/** The same in plain text, complete: what a screen reader and a notification read. */
export function textOf(blocks: MessageBlock[]): string {
  return blocks.map(linesOf).join('\n');
}

/** The texts before, between and after the lists, without the blanks that touched those. */
function textsOf(parts: Part[], data: MessageData, { mostText }: Capacity): string[] {
  const pieces = [''];
  const written = writerOf(data);
  for (const part of parts) {
    const isList = part.kind === 'variable' && part.name === 'soldes';
    if (isList && pieces.length === 1) pieces.push('');
    else pieces[pieces.length - 1] += written(part);
  }
  let room = mostText;
  return pieces.map((piece, index) => {
    const before = index === 0 ? piece : piece.replace(/^[ \t]*\n?/, '');
    const whole = index === pieces.length - 1 ? before : before.replace(/\n?(?<![ \t])[ \t]*$/, '');
    const left = room;
    room -= whole.length;
    if (room >= 0) return whole;
    return left < 0 ? '' : `${beginningOf(whole, left)}… (message coupé)`;
  });
}

/** Up to `most` UTF-16 units, without half of a surrogate pair at the end. */
export function beginningOf(text: string, most: number): string {
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

/** The accounts that the message names, and all it covers when it has one of these variables. */
function accountsIn(
  parts: Part[],
  { accounts }: MessageData,
  variables: ReadonlySet<string>,
): MessageAccount[] {
  const found = new Set<MessageAccount>();
  for (const part of parts) {
    const named = part.kind === 'account' ? accountsNamed(part.account, accounts) : [];
    const [only] = named.length === 1 ? named : [];
    if (only) found.add(only);
  }
  const areAll = parts.some((part) => part.kind === 'variable' && variables.has(part.name));
  return accounts.filter((account) => found.has(account) || (areAll && account.covered));
}

/** They say balances. */
const ofFigures: ReadonlySet<string> = new Set(['soldes', 'total', 'variation']);
/** They speak of banks. */
const ofBanks: ReadonlySet<string> = new Set([...ofFigures, 'banque']);

/**
 * A line for each account that the notification covers, by bank, as many as the chat's list has rows
 * for and as find room in what is left of its capacity; the others are counted.
 */
function accountsBlock(
  data: MessageData,
  { measure, rows }: Capacity,
  roomLeft: number,
): MessageBlock {
  const covered = data.accounts.filter((account) => account.covered);
  const repetitions = repetitionNotes(covered);
  const banks = new Map<string, AccountLine[]>();
  let room = roomLeft;
  let shown = 0;
  for (const account of covered) {
    const bank = neutralize(bankNameOf(account));
    const { amount, note } = describeBalance(account, data);
    const notes = [repetitions.get(account), note].filter(Boolean).join(', ') || null;
    const line = { name: neutralize(nameOf(account)), amount, note: notes };
    room -= measure.row(bank, line);
    if (room < 0 || shown === rows) break;
    shown += 1;
    const lines = banks.get(bank);
    if (lines) lines.push(line);
    else banks.set(bank, [line]);
  }
  return {
    type: 'accounts',
    banks: [...banks].map(([name, lines]) => ({ name, lines })),
    more: moreText(covered.length - shown, shown),
  };
}

function moreText(count: number, shown: number): string | null {
  if (count === 0) return shown === 0 ? 'Aucun compte' : null;
  return count === 1 ? 'et 1 autre compte' : `et ${count} autres comptes`;
}

function linesOf(block: MessageBlock): string {
  if (block.type !== 'accounts') return block.text;
  const banks = block.banks.flatMap(({ name, lines }) => [
    name,
    ...lines.map(({ name: account, amount, note }) =>
      note ? `• ${account}\u202f: ${amount} (${note})` : `• ${account}\u202f: ${amount}`,
    ),
  ]);
  return [...banks, ...(block.more ? [block.more] : [])].join('\n');
}
