import { useState } from 'react';
import { isStale, STALE_WARNING } from '../../shared/banks/states.ts';
import type { BankItem, ConnectionNotice, DailyBalance } from '../../shared/contract/banks.ts';
import { PartBoundary } from '../design/Boundary.tsx';
import { Button } from '../design/Button.tsx';
import { Callout } from '../design/Callout.tsx';
import { Card } from '../design/Card.tsx';
import { DeleteButton } from '../design/DeleteButton.tsx';
import { IconButton } from '../design/IconButton.tsx';
import { Mark } from '../design/Mark.tsx';
import { useNow } from '../time/clock.ts';
import { Accounts } from './Accounts.tsx';
import { type BankCardData, initialsOf } from './bank-cards.ts';
import { linkBank } from './linking/link-bank.ts';
import { useBankPage, useDeleteItem } from './mutations.ts';

interface BankCardProps {
  card: BankCardData;
  trends: Map<number, DailyBalance[]> | undefined;
  onDeleted: () => void;
}

export function BankCard({ card: { item, accounts }, trends, onDeleted }: BankCardProps) {
  const bankPage = useBankPage(item.id);
  const [isFormOpen, setFormOpen] = useState(false);
  const page = item.form ? { ...bankPage, edit: () => setFormOpen(true) } : bankPage;
  const { remove, removing } = useDeleteItem(item.id, onDeleted);
  const updates = accounts.map((account) => account.updated_at);
  const stale = isStale(item.state, updates, useNow());
  const deletion = {
    subject: item.bank.name,
    explanation: `${item.bank.name}, avec tous ses comptes.`,
    busy: removing,
    onConfirm: remove,
  };
  const icons = (
    <>
      <IconButton
        icon="edit"
        title="Editer"
        subject={item.bank.name}
        busy={page.opening}
        onClick={page.edit}
      />
      <DeleteButton {...deletion} />
    </>
  );
  return (
    <Card title={item.bank.name} mark={<BankMark bank={item.bank} />} icons={icons}>
      <ItemNotice notice={item.notice} stale={stale} page={page} deletion={deletion} />
      {stale && (
        <Callout
          look="warning"
          action={
            !item.notice?.action && (
              <Button busy={page.opening} onClick={page.edit}>
                Editer
              </Button>
            )
          }
        >
          {STALE_WARNING}
        </Callout>
      )}
      {isFormOpen && item.form && (
        <PartBoundary onFailure={() => setFormOpen(false)}>
          <linkBank.Part source={item.form} onClose={() => setFormOpen(false)} />
        </PartBoundary>
      )}
      <Accounts accounts={accounts} trends={trends} refreshing={item.state === 'refreshing'} />
    </Card>
  );
}

const TONES = 8;

/** The bank's initials; its number chooses the colour, so that it is the same everywhere. */
function BankMark({ bank: { id, name } }: Pick<BankItem, 'bank'>) {
  return <Mark tone={`var(--tone-${id % TONES})`}>{initialsOf(name)}</Mark>;
}

interface ItemNoticeProps {
  /** Null when there is nothing to say. */
  notice: ConnectionNotice | null;
  /** The warning about stale balances stands beside it. */
  stale: boolean;
  page: ReturnType<typeof useBankPage>;
  deletion: Parameters<typeof DeleteButton>[0];
}

/** What the connection's state means, with the one thing to do about it. */
function ItemNotice(props: ItemNoticeProps) {
  const { notice, stale } = props;
  return (
    <div role="status">
      {notice && (
        <Callout look={notice.action ? 'warning' : 'quiet'} action={<ItemAction {...props} />}>
          {(stale && notice.sentenceWhenStale) || notice.sentence}
        </Callout>
      )}
    </div>
  );
}

function ItemAction({ notice, page, deletion }: ItemNoticeProps) {
  const action = notice?.action;
  if (!action) return null;
  if (action.kind === 'delete') return <DeleteButton {...deletion} label={action.label} />;
  return (
    <Button busy={page.opening} onClick={action.kind === 'confirm' ? page.confirm : page.edit}>
      {action.label}
    </Button>
  );
}
