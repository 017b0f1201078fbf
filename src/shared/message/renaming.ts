import { accountsNamed, labelsOf, type Named } from './names.ts';
import { parseMessage } from './variables.ts';

/**
 * The text with a new name for each account that its old one does not mean any more. `replacedBy`: the ids of
 * the accounts that others stand for now.
 */
export function withNewNames(
  text: string,
  before: readonly Named[],
  after: readonly Named[],
  replacedBy: ReadonlyMap<number, number> = new Map(),
): string {
  const labels = labelsOf(after);
  const named = parseMessage(text).map((part) => {
    if (part.kind === 'text') return part.text;
    const written = text.slice(part.from, part.to);
    if (part.kind !== 'account') return written;
    const meant = onlyOne(accountsNamed(part.account, before));
    const meantId = meant && (replacedBy.get(meant.id) ?? meant.id);
    if (!meant || onlyOne(accountsNamed(part.account, after))?.id === meantId) return written;
    const label = [...labels].find(([{ id }]) => id === meantId)?.[1];
    return label === undefined ? written : `{{solde:${label}}}`;
  });
  return named.join('');
}

function onlyOne(accounts: readonly Named[]): Named | undefined {
  return accounts.length === 1 ? accounts[0] : undefined;
}
