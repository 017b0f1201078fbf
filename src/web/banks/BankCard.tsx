import { isStale, STALE_WARNING } from '../../shared/banks/states.ts';
import type { BankItem, DailyBalance } from '../../shared/contract/banks.ts';
import { Button } from '../design/Button.tsx';
import { Callout } from '../design/Callout.tsx';
import { Card } from '../design/Card.tsx';
import { DeleteButton } from '../design/DeleteButton.tsx';
import { useDialog } from '../design/DialogButton.tsx';
import { IconButton, IconTabLink } from '../design/IconButton.tsx';
import { Mark } from '../design/Mark.tsx';
import { TabLink } from '../design/TabLink.tsx';
import { useNow } from '../time/clock.ts';
import { Accounts } from './Accounts.tsx';
import { type BankCardData, initialsOf } from './bank-cards.ts';
import { linkBank } from './linking/link-bank.ts';
import { useDeleteItem } from './mutations.ts';

interface BankCardProps {
  card: BankCardData;
  trends: Map<number, DailyBalance[]> | undefined;
  onDeleted: () => void;
}

export function BankCard({ card: { item, accounts }, trends, onDeleted }: BankCardProps) {
  const form = useDialog(linkBank, { source: item.form ?? undefined });
  const { remove, removing } = useDeleteItem(item.id, onDeleted);
  const updates = accounts.map((account) => account.updated_at);
  const stale = isStale(item.state, updates, useNow());
  const deletion = {
    subject: item.bank.name,
    explanation: `${item.bank.name}, avec tous ses comptes.`,
    busy: removing,
    onConfirm: remove,
  };
  const editing = { item, button: form.button };
  const icons = (
    <>
      <EditAction {...editing} />
      <DeleteButton {...deletion} />
    </>
  );
  return (
    <Card title={item.bank.name} mark={<BankMark bank={item.bank} />} icons={icons}>
      <ItemNotice {...editing} stale={stale} deletion={deletion} />
      {stale && (
        <Callout
          look="warning"
          action={!item.notice?.action && <EditAction {...editing} label="Editer" />}
        >
          {STALE_WARNING}
        </Callout>
      )}
      {form.dialog}
      <Accounts accounts={accounts} trends={trends} refreshing={item.state === 'refreshing'} />
    </Card>
  );
}

const TONES = 8;

/** The bank's initials; its number chooses the colour, so that it is the same everywhere. */
function BankMark({ bank: { id, name } }: Pick<BankItem, 'bank'>) {
  return <Mark tone={`var(--tone-${id % TONES})`}>{initialsOf(name)}</Mark>;
}

interface EditProps {
  item: BankItem;
  /** Opens the form of a connection that is edited by one; any other has a page at its bank service. */
  button: ReturnType<typeof useDialog>['button'];
  label?: string;
}

/** An icon, or a button with the label given. */
function EditAction({ item, button, label }: EditProps) {
  const face = { icon: 'edit', title: 'Editer', subject: item.bank.name } as const;
  const href = `/banque/modifier/${item.id}`;
  if (label) {
    return item.form ? (
      <Button {...button}>{label}</Button>
    ) : (
      <TabLink href={href}>{label}</TabLink>
    );
  }
  return item.form ? <IconButton {...face} {...button} /> : <IconTabLink {...face} href={href} />;
}

interface ItemNoticeProps extends EditProps {
  /** The warning about stale balances stands beside it. */
  stale: boolean;
  deletion: Parameters<typeof DeleteButton>[0];
}

/** What the connection's state means, with the one thing to do about it. */
function ItemNotice(props: ItemNoticeProps) {
  const { notice } = props.item;
  return (
    <div role="status">
      {notice && (
        <Callout look={notice.action ? 'warning' : 'quiet'} action={<ItemAction {...props} />}>
          {(props.stale && notice.sentenceWhenStale) || notice.sentence}
        </Callout>
      )}
    </div>
  );
}

function ItemAction({ deletion, ...editing }: ItemNoticeProps) {
  const { id, notice } = editing.item;
  if (!notice?.action) return null;
  const { kind, label } = notice.action;
  if (kind === 'delete') return <DeleteButton {...deletion} label={label} />;
  if (kind === 'edit') return <EditAction {...editing} label={label} />;
  return <TabLink href={`/banque/validation-pro/${id}`}>{label}</TabLink>;
}
