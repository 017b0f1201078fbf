import { accountsNamed } from '../../../shared/message/names.ts';
import { parseMessage } from '../../../shared/message/variables.ts';
import type { BankData } from '../../banks/queries.ts';
import { Callout } from '../../design/Callout.tsx';

interface MissingAccountsNoticeProps {
  /** The saved one. */
  text: string;
  banks: BankData;
}

/** Each message says so in its channel, where the owner of the notification may never read it. */
export function MissingAccountsNotice({ text, banks }: MissingAccountsNoticeProps) {
  const isRead = banks.connections.every(({ state }) => state !== 'refreshing');
  const missing = parseMessage(text).flatMap((part) =>
    part.kind === 'account' && accountsNamed(part.account, banks.accounts).length === 0
      ? [`«\u202f${part.account}\u202f»`]
      : [],
  );
  const names = [...new Set(missing)];
  if (!isRead || names.length === 0) return null;
  const words = names.length > 1 ? 'des comptes introuvables' : 'un compte introuvable';
  return (
    <Callout variant="warning">{`Le texte nomme ${words}\u202f: ${names.join(', ')}.`}</Callout>
  );
}
