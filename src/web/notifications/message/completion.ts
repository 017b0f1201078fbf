import { fold } from '../../../shared/message/names.ts';
import type { PlainVariable } from '../../../shared/message/variables.ts';

/** The part of a text that a chosen variable replaces, and what was already written of it. */
export interface Completion {
  from: number;
  to: number;
  query: string;
}

/** Longer than any account's name: braces further away are no variable under way. */
const longestName = 160;

/** The variable under way at the caret: after `{{`, before its `}}`; null elsewhere. */
export function completionAt(text: string, caret: number): Completion | null {
  const before = text.slice(Math.max(0, caret - longestName), caret);
  const open = before.lastIndexOf('{{');
  const query = open < 0 ? '' : before.slice(open + 2);
  if (open < 0 || /[\n{}]/.test(query)) return null;
  const rest = /^[^\n{}]*\}\}/.exec(text.slice(caret, caret + longestName))?.[0] ?? '';
  return { from: caret - query.length - 2, to: caret + rest.length, query };
}

/** The variables that hold what was written, those that begin with it first. */
export function filterVariables(variables: readonly string[], query: string): string[] {
  const wanted = fold(query);
  const found = variables
    .map((variable) => ({ variable, at: fold(variable.slice(2, -2)).indexOf(wanted) }))
    .filter(({ at }) => at >= 0);
  const begins = ({ at }: { at: number }) => (at === 0 ? 0 : 1);
  return found
    .toSorted((one, other) => begins(one) - begins(other))
    .map(({ variable }) => variable);
}

/** What a variable, with its braces, becomes: for the menu. */
export function meaningOf(variable: string): string {
  return meanings[variable.slice(2, -2)] ?? 'Le solde de ce compte';
}

const meanings: Record<string, string | undefined> = {
  soldes: 'Un tableau des comptes, par banque',
  total: 'La somme des soldes, par devise',
  variation: 'Le changement depuis le dernier message',
  date: "La date de l'envoi",
  banque: 'Le nom de vos banques',
  operations: 'Ce qui est entré et sorti depuis le dernier message',
} satisfies Record<PlainVariable, string>;
