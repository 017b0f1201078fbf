import { configuration } from '../api/configuration.ts';
import { ProviderLink } from '../api/ProviderLink.tsx';
import { linkBankDialog, newBank } from '../banks/linking/link-bank-dialog.ts';
import type { BankData } from '../banks/queries.ts';
import { Button } from '../design/Button.tsx';
import { Callout } from '../design/Callout.tsx';
import { DialogButton } from '../design/DialogButton.tsx';

interface NoAccountsNoticeProps {
  banks: BankData;
  onChoose: () => void;
}

/** Messages that go on without a balance, as after the deletion of a bank: says what to do. */
export function NoAccountsNotice({ banks: { accounts }, onChoose }: NoAccountsNoticeProps) {
  const consequence = "les messages n'ont aucun solde à donner.";
  return accounts.length === 0 ? (
    <Callout variant="warning" action={<WayToLink />}>
      Aucun compte courant n'est relié{'\u202f'}: {consequence}
    </Callout>
  ) : (
    <Callout variant="warning" action={<Button onClick={onChoose}>Choisir les comptes</Button>}>
      Aucun compte relié n'est choisi{'\u202f'}: {consequence}
    </Callout>
  );
}

const label = 'Relier une banque';

/** Does what "Ajouter une banque" does. */
function WayToLink() {
  return configuration.hasBankPage ? (
    <ProviderLink path="/bridge/items/connect">{label}</ProviderLink>
  ) : (
    <DialogButton label={label} lazyDialog={linkBankDialog} dialogProps={newBank} />
  );
}
