import type { MessageFault } from '../contract/messages.ts';
import { closestMatch } from './closest-match.ts';
import { accountsNamed, fold, labelsOf, memoizePerList, type Named } from './names.ts';

const plainVariables = ['soldes', 'total', 'variation', 'date', 'banque', 'operations'] as const;
export type PlainVariable = (typeof plainVariables)[number];

/** A piece of a message: plain text, a variable, an account's balance, or an unknown `{{…}}`. */
export type Part =
  | { kind: 'text'; text: string }
  | { kind: 'variable'; name: PlainVariable; from: number; to: number }
  | { kind: 'account'; account: string; from: number; to: number }
  | { kind: 'unknown'; written: string; from: number; to: number };

/**
 * Cuts a text at `{{…}}`. Case, accents and spaces around the name do not count; braces that do not
 * close on their line are plain text.
 */
export function parseMessage(text: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(/\{\{((?:(?!\{\{)[^\n])*?)\}\}(?!\})/g)) {
    const from = match.index;
    const to = from + match[0].length;
    if (from > end) parts.push({ kind: 'text', text: text.slice(end, from) });
    parts.push({ ...variableOf(match[1] ?? ''), from, to });
    end = to;
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) });
  return parts;
}

/** A message without known variables is posted as it is written. */
export function hasVariables(text: string): boolean {
  return haveVariables(parseMessage(text));
}

export function haveVariables(parts: readonly Part[]): boolean {
  return parts.some(({ kind }) => kind === 'variable' || kind === 'account');
}

/** True where the text names the transactions, which are read for it. */
export function tellsTransactions(text: string): boolean {
  return parseMessage(text).some((part) => part.kind === 'variable' && part.name === 'operations');
}

function variableOf(written: string) {
  const colon = written.indexOf(':');
  const name = fold(colon < 0 ? written : written.slice(0, colon));
  if (colon >= 0 && name === 'solde') {
    return { kind: 'account', account: written.slice(colon + 1).trim() } as const;
  }
  const known = colon < 0 ? plainVariables.find((variable) => variable === name) : undefined;
  return known
    ? ({ kind: 'variable', name: known } as const)
    : ({ kind: 'unknown', written } as const);
}

/** The faults that prevent a text from being saved, at most ten. */
export function checkMessage(text: string, accounts: readonly Named[]): MessageFault[] {
  const faults: MessageFault[] = [];
  let lists = 0;
  for (const part of parseMessage(text)) {
    if (part.kind === 'text') continue;
    if (part.kind === 'variable' && part.name === 'soldes') lists += 1;
    const fault = faultOf(part, lists, accounts);
    if (fault) faults.push({ from: part.from, to: part.to, ...fault });
    if (faults.length === maxFaults) break;
  }
  return faults;
}

/** Every variable that a message about these accounts can use, with its braces. */
export function variablesFor(accounts: readonly Named[]): string[] {
  return [...plainVariables.map(inBraces), ...accountVariables(accounts)];
}

const maxFaults = 10;

type Fault = Pick<MessageFault, 'message' | 'suggestions'>;

function faultOf(
  part: Exclude<Part, { kind: 'text' }>,
  lists: number,
  accounts: readonly Named[],
): Fault | null {
  if (part.kind === 'unknown') return unknownVariable(part.written, accounts);
  if (part.kind === 'account') return accountFault(part.account, accounts);
  if (part.name !== 'soldes' || lists === 1) return null;
  return {
    message: "La variable {{soldes}} ne peut figurer qu'une fois dans le message.",
    suggestions: [],
  };
}

function unknownVariable(written: string, accounts: readonly Named[]): Fault {
  const suggestion = nearestOf(inBraces(written.trim()), everyVariable(accounts));
  return {
    message: `La variable ${inBraces(cut(written.trim()))} n'existe pas. Vouliez-vous dire ${suggestion}\u202f?`,
    suggestions: [suggestion],
  };
}

function accountFault(name: string, accounts: readonly Named[]): Fault | null {
  const meant = accountsNamed(name, accounts);
  if (meant.length === 1) return null;
  if (meant.length > 1) return ambiguous(name, meant, accounts);
  const none = `Aucun compte ne s'appelle «\u202f${cut(name)}\u202f».`;
  if (accounts.length === 0) {
    return {
      message: `${none} Reliez d'abord une banque, ou écrivez {{soldes}}.`,
      suggestions: ['{{soldes}}'],
    };
  }
  const suggestion = nearestOf(inBraces(`solde:${name}`), ofAccounts(accounts));
  return { message: `${none} Vouliez-vous dire ${suggestion}\u202f?`, suggestions: [suggestion] };
}

function ambiguous(name: string, meant: readonly Named[], accounts: readonly Named[]): Fault {
  const labels = labelsOf(accounts);
  const suggestions = meant
    .map((account) => inBraces(`solde:${labels.get(account) ?? name}`))
    .slice(0, 5);
  return {
    message: `Plusieurs comptes s'appellent «\u202f${cut(name)}\u202f». Écrivez ${suggestions.join(' ou ')}.`,
    suggestions,
  };
}

function accountVariables(accounts: readonly Named[]): string[] {
  return [...labelsOf(accounts).values()].map((label) => inBraces(`solde:${label}`));
}

/** Variables by their folded form. */
type Folded = ReadonlyMap<string, string>;

const everyVariable = memoizePerList((accounts): Folded => folded(variablesFor(accounts)));
const ofAccounts = memoizePerList((accounts): Folded => folded(accountVariables(accounts)));

function folded(variables: string[]): Folded {
  return new Map(variables.map((variable) => [fold(variable), variable]));
}

function nearestOf(written: string, candidates: Folded): string {
  const found = closestMatch(fold(written), [...candidates.keys()]);
  return candidates.get(found ?? '') ?? '{{soldes}}';
}

function inBraces(name: string): string {
  return `{{${name}}}`;
}

function cut(written: string): string {
  return written.length > 60 ? `${written.slice(0, 59)}…` : written;
}
