export const plainVariables = ['soldes', 'total', 'variation', 'date', 'banque'] as const;
export type PlainVariable = (typeof plainVariables)[number];

/** A piece of a message: letters, a variable, or braces around what is none. */
export type Part =
  | { kind: 'text'; text: string }
  | { kind: 'variable'; name: PlainVariable; from: number; to: number }
  | { kind: 'account'; account: string; from: number; to: number }
  | { kind: 'unknown'; written: string; from: number; to: number };

/**
 * Cuts a text at `{{…}}`. Case, accents and spaces around the name do not count; braces that do not
 * close on their line are letters like others.
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

/** A message without any is posted as it is written. */
export function hasVariables(text: string): boolean {
  return parseMessage(text).some(({ kind }) => kind === 'variable' || kind === 'account');
}

/** True where the text names this variable. */
export function hasVariable(text: string, name: PlainVariable): boolean {
  return parseMessage(text).some((part) => part.kind === 'variable' && part.name === name);
}

/** Names are compared without case, accents and repeated spaces. */
export function fold(name: string): string {
  const known = folded.get(name);
  if (known !== undefined) return known;
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const result = plain.replace(/\s+/g, ' ').trim();
  if (folded.size >= 2000) folded.clear();
  folded.set(name, result);
  return result;
}

/** Most accounts of the world bear a few hundred names. */
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
