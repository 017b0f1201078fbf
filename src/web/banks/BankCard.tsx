import { isStale, staleWarning } from '../../shared/banks/states.ts';
import type { BankAccount, BankItem, ConnectionNotice } from '../../shared/contract/banks.ts';
import { Avatar } from '../design/Avatar.tsx';
import { Button } from '../design/Button.tsx';
import { Callouts } from '../design/Callout.tsx';
import { Card } from '../design/Card.tsx';
import { useDialog } from '../design/DialogButton.tsx';
import { IconButton, IconNewTabLink } from '../design/IconButton.tsx';
import { lazyComponent } from '../design/lazy-component.ts';
import { NewTabLink } from '../design/NewTabLink.tsx';
import { Balance } from '../money/Amount.tsx';
import { useNow } from '../time/clock.ts';
import { Accounts } from './Accounts.tsx';
import styles from './BankCard.module.css';
import { type BankCardData, cardFocusName, type FilteredCard, initialsOf } from './bank-cards.ts';
import { linkBankDialog, type newBank } from './linking/link-bank-dialog.ts';
import { useDeleteConnection, useRefreshConnection } from './mutations.ts';
import { type Histories, totalsOf } from './totals.ts';

const deletionDialog = lazyComponent(
  () => import('./BankDeletionDialog.tsx'),
  (file) => file.BankDeletionDialog,
);

interface BankCardProps {
  card: FilteredCard;
  /** All of its accounts are shown, however many. */
  whole: boolean;
  /** Of the last 30 days; undefined until they are known. */
  trends: Histories | undefined;
}

export function BankCard({ card, whole, trends }: BankCardProps) {
  const { connection, accounts, shown } = card;
  const edited: typeof newBank = { edited: connection };
  const form = useDialog(linkBankDialog, edited);
  const { remove, removing } = useDeleteConnection(connection.id);
  const updates = accounts.map((account) => account.updated_at);
  const stale = isStale(connection.state, updates, useNow());
  const deletion = useDialog(deletionDialog, { connection, accounts, onConfirm: remove });
  const deleting = { ...deletion.button, busy: removing };
  const editing = { connection, button: form.button };
  const icons = (
    <>
      {connection.can_refresh && <RefreshAction connection={connection} />}
      <EditAction {...editing} />
      <IconButton {...deleting} icon="delete" title="Supprimer" subject={connection.bank.name} />
    </>
  );
  return (
    <Card
      title={connection.bank.name}
      avatar={<BankAvatar bank={connection.bank} />}
      figure={<Subtotal accounts={accounts} />}
      icons={icons}
      name={cardFocusName(connection.id)}
    >
      <Notices {...editing} stale={stale} deleting={deleting} />
      {form.dialog}
      {deletion.dialog}
      <Accounts
        accounts={shown}
        whole={whole}
        trends={trends}
        refreshing={connection.state === 'refreshing'}
      />
      {connection.other_accounts && !whole && (
        <p className="note">{othersWords(connection.other_accounts, accounts.length)}</p>
      )}
    </Card>
  );
}

/** Somebody who shared them with us looks for them here. */
function othersWords(count: number, shown: number): string {
  const hidden = count > 1 ? 'ne sont pas affichés' : "n'est pas affiché";
  if (shown > 0) {
    const others = count > 1 ? 'autres' : 'autre';
    return `Comptes courants seulement\u202f: ${count} ${others} ${hidden}.`;
  }
  return count > 1
    ? `${count} comptes d'un autre type ${hidden}.`
    : `1 compte d'un autre type ${hidden}.`;
}

/** What several accounts hold together, a sum for each currency, written as theirs are. */
function Subtotal({ accounts }: { accounts: BankAccount[] }) {
  const sums = accounts.length > 1 ? totalsOf(accounts)?.sums : null;
  return (
    sums && (
      <p className={styles.subtotal}>
        <span className="unseen">Total{'\u202f'}: </span>
        {sums.map(({ currency, balance }) => (
          <Balance key={currency} balance={balance} currency={currency} />
        ))}
      </p>
    )
  );
}

function RefreshAction({ connection: { id, bank } }: Pick<BankCardData, 'connection'>) {
  const { refresh, refreshing } = useRefreshConnection(id);
  return (
    <IconButton
      icon="renew"
      title="Actualiser"
      subject={bank.name}
      busy={refreshing}
      onClick={refresh}
    />
  );
}

const toneCount = 8;

/** The bank's initials; its number chooses the colour, so that it is the same everywhere. */
function BankAvatar({ bank: { id, name } }: Pick<BankItem, 'bank'>) {
  return <Avatar tone={`var(--tone-${id % toneCount})`}>{initialsOf(name)}</Avatar>;
}

interface EditProps {
  connection: BankItem;
  /** Opens the form of a connection that is edited by one; any other has a page at its bank service. */
  button: ReturnType<typeof useDialog>['button'];
  label?: string;
}

/** An icon, or a button with the label given. */
function EditAction({ connection, button, label }: EditProps) {
  const face = { icon: 'edit', title: 'Editer', subject: connection.bank.name } as const;
  const href = `/banque/modifier/${connection.id}`;
  if (label) {
    return connection.form ? (
      <Button {...button}>{label}</Button>
    ) : (
      <NewTabLink href={href}>{label}</NewTabLink>
    );
  }
  return connection.form ? (
    <IconButton {...face} {...button} />
  ) : (
    <IconNewTabLink {...face} href={href} />
  );
}

interface NoticesProps extends EditProps {
  stale: boolean;
  deleting: ReturnType<typeof useDialog>['button'] & { busy: boolean };
}

/** Everything there is to say about the connection; what can be done about it is offered once. */
function Notices(props: NoticesProps) {
  const { connection, stale } = props;
  const { notice, endingNotice } = connection;
  let isOffered = false;
  const notices = [notice, endingNotice].flatMap((one) => {
    if (!one) return [];
    const action = !isOffered && <ConnectionAction {...props} notice={one} />;
    isOffered ||= one.action !== null;
    return { sentence: one.sentence, action };
  });
  if (stale) {
    const action = !isOffered && <EditAction {...props} label="Editer" />;
    notices.push({ sentence: staleWarning, action });
  }
  const variant = stale || isOffered ? 'warning' : 'quiet';
  return (
    <div role="status">{notices.length > 0 && <Callouts variant={variant} items={notices} />}</div>
  );
}

interface ConnectionActionProps extends EditProps, Pick<NoticesProps, 'deleting'> {
  notice: ConnectionNotice;
}

function ConnectionAction({ notice, deleting, ...editing }: ConnectionActionProps) {
  if (!notice.action) return null;
  const { kind, label } = notice.action;
  if (kind === 'delete') return <Button {...deleting}>{label}</Button>;
  if (kind === 'edit') return <EditAction {...editing} label={label} />;
  return <NewTabLink href={`/banque/validation-pro/${editing.connection.id}`}>{label}</NewTabLink>;
}
