import type { Messenger } from '../../shared/contract/messengers.ts';
import type { BankData } from '../banks/queries.ts';
import { Button, buttonClass } from '../design/Button.tsx';
import { Callout } from '../design/Callout.tsx';
import { anchorOf } from '../design/Section.tsx';

interface NoAccountsNoticeProps {
  banks: BankData;
  onChoose: () => void;
}

/** Messages that go on without a balance, as after the deletion of a bank: says what to do. */
export function NoAccountsNotice({ banks: { accounts }, onChoose }: NoAccountsNoticeProps) {
  const consequence = "les messages n'ont aucun solde à donner.";
  return accounts.length === 0 ? (
    <Callout
      variant="warning"
      action={
        <a className={buttonClass('plain')} href={`#${anchorOf('Banques')}`}>
          Relier une banque
        </a>
      }
    >
      Aucun compte courant n'est relié{'\u202f'}: {consequence}
    </Callout>
  ) : (
    <Callout variant="warning" action={<Button onClick={onChoose}>Choisir les comptes</Button>}>
      Aucun compte relié n'est choisi{'\u202f'}: {consequence}
    </Callout>
  );
}

/** Whether its text says more than the day and it is about no account, once every bank was read. */
export function lacksAccounts(
  { message, accounts: { scope, chosen } }: Messenger,
  { items, accounts }: BankData,
): boolean {
  const isAbout = ({ id }: { id: number }) => scope === 'all' || chosen.includes(id);
  const isRead = items.every(({ state }) => state !== 'refreshing');
  const saysFigures = message.replace(/\{\{ *date *\}\}/gi, '').includes('{{');
  return saysFigures && isRead && !accounts.some(isAbout);
}
