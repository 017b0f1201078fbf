import type { MessageFault } from '../contract/messages.ts';
import type { MessageAccount } from './figures.ts';
import { nearest } from './nearest.ts';

export const plainVariables = ['soldes', 'total', 'variation', 'date', 'banque'] as const;
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
  return parseMessage(text).some(({ kind }) => kind === 'variable' || kind === 'account');
}

/** True where the text names this variable. */
export function hasVariable(text: string, name: PlainVariable): boolean {
  return parseMessage(text).some((part) => part.kind === 'variable' && part.name === name);
}

/** The form in which names are compared: without case, accents and repeated spaces. */
export function fold(name: string): string {
  const known = folded.get(name);
  if (known !== undefined) return known;
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const result = plain.replace(/\s+/g, ' ').trim();
  if (folded.size >= 2000) folded.clear();
  folded.set(name, result);
  return result;
}

/** A cache: accounts of many users share a few hundred names. */
const folded = new Map<string, string>();

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

type Named = Pick<MessageAccount, 'id' | 'name' | 'bank'>;

/** The faults that prevent a text from being saved, at most ten. */
export function checkMessage(text: string, accounts: readonly Named[]): MessageFault[] {
  const faults: MessageFault[] = [];
  let lists = 0;
  for (const part of parseMessage(text)) {
    if (part.kind === 'text') continue;
    if (part.kind === 'variable' && part.name === 'soldes') lists += 1;
    const fault = faultOf(part, lists, accounts);
    if (fault) faults.push({ from: part.from, to: part.to, ...fault });
    if (faults.length === mostFaults) break;
  }
  return faults;
}

/** Every variable that a message about these accounts can use, with its braces. */
export function variablesFor(accounts: readonly Named[]): string[] {
  return [...plainVariables.map(inBraces), ...accountVariables(accounts)];
}

const mostFaults = 10;

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
  const suggestion = nearestOf(inBraces(written.trim()), variablesFor(accounts));
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
  const variables = accountVariables(accounts);
  if (variables.length === 0) {
    return {
      message: `${none} Reliez d'abord une banque, ou écrivez {{soldes}}.`,
      suggestions: ['{{soldes}}'],
    };
  }
  const suggestion = nearestOf(inBraces(`solde:${name}`), variables);
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

function nearestOf(written: string, candidates: string[]): string {
  const folded = new Map(candidates.map((candidate) => [fold(candidate), candidate]));
  const found = nearest(fold(written), [...folded.keys()]);
  return folded.get(found ?? '') ?? '{{soldes}}';
}

function inBraces(name: string): string {
  return `{{${name}}}`;
}

function cut(written: string): string {
  return written.length > 60 ? `${written.slice(0, 59)}…` : written;
}

/** An account's name for display: one line of at most 80 characters, without control characters. */
export function nameOf(account: Named): string {
  return shown(account.name, 80) || 'Compte sans nom';
}

export function bankNameOf(account: Pick<MessageAccount, 'bank'>): string {
  return shown(account.bank.name, 60) || 'Banque';
}

/**
 * The shortest name by which `{{solde:…}}` means this account only: its own name, with its bank's
 * name, or with its id too. The form with the id is valid in any case.
 */
export function labelsOf<Account extends Named>(
  accounts: readonly Account[],
): Map<Account, string> {
  const meant = new Map<string, number>();
  for (const account of accounts) {
    for (const form of foldedForms(account)) meant.set(form, (meant.get(form) ?? 0) + 1);
  }
  return new Map(
    accounts.map((account) => {
      const forms = formsOf(account);
      const label = forms.find((form) => meant.get(fold(form)) === 1);
      return [account, label ?? forms[2]];
    }),
  );
}

/** The accounts that a name in `{{solde:…}}` can mean: exactly one unless it is faulty. */
export function accountsNamed<Account extends Named>(
  name: string,
  accounts: readonly Account[],
): Account[] {
  const wanted = fold(name);
  return accounts.filter((account) => foldedForms(account).has(wanted));
}

function foldedForms(account: Named): Set<string> {
  return new Set(formsOf(account).map(fold));
}

function formsOf(account: Named): [name: string, withBank: string, numbered: string] {
  const name = nameOf(account);
  const withBank = `${bankNameOf(account)}/${name}`;
  return [name, withBank, `${withBank} (${account.id})`];
}

/** Removes double braces too, which would end the variable that contains the name. */
function shown(name: string, most: number): string {
  if (name.length <= most && /^[!-zÀ-ÿ](?: ?[!-zÀ-ÿ])*$/.test(name)) return name;
  const clean = name
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '')
    .replace(/\{\{|\}\}/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const letters = [...clean];
  return letters.length > most
    ? `${letters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
    : clean;
}
