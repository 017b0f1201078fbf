import { accountsNamed, labelsOf, type Named } from './names.ts';
import { parseMessage } from './variables.ts';

/** The text with a new name for each account that its old one does not mean any more. */
export function withNewNames(
  text: string,
  before: readonly Named[],
  after: readonly Named[],
): string {
  const labels = labelsOf(after);
  const named = parseMessage(text).map((part) => {
    if (part.kind === 'text') return part.text;
    const written = text.slice(part.from, part.to);
    if (part.kind !== 'account') return written;
    const meant = onlyOne(accountsNamed(part.account, before));
    if (!meant || onlyOne(accountsNamed(part.account, after))?.id === meant.id) return written;
    const label = [...labels].find(([{ id }]) => id === meant.id)?.[1];
    return label === undefined ? written : `{{solde:${label}}}`;
  });
  return named.join('');
}

function onlyOne(accounts: readonly Named[]): Named | undefined {
  return accounts.length === 1 ? accounts[0] : undefined;
}
