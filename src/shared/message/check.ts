import type { MessageFault } from '../contract/messages.ts';
import type { MessageAccount } from './figures.ts';
import { accountsNamed, labelsOf } from './names.ts';
import { nearest } from './nearest.ts';
import { fold, type Part, parseMessage, plainVariables } from './parse.ts';

type Named = Pick<MessageAccount, 'id' | 'name' | 'bank'>;

/** What keeps a text from being saved: nothing for most. The first ten faults are told. */
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

/** Everything that may stand between braces for these accounts, as it is written. */
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
