import { isStale, STALE_WARNING } from '../../shared/banks/states.ts';
import type { DailyBalance } from '../../shared/contract/banks.ts';
import { Button } from '../design/Button.tsx';
import { Callout } from '../design/Callout.tsx';
import { Card } from '../design/Card.tsx';
import { DeleteButton } from '../design/DeleteButton.tsx';
import { IconButton } from '../design/IconButton.tsx';
import { useNow } from '../time/clock.ts';
import { Accounts } from './Accounts.tsx';
import { BankMark } from './BankMark.tsx';
import type { BankCardData } from './bank-cards.ts';
import { useBankPage } from './bank-page.ts';
import { deletionOf, useDeleteItem } from './delete-item.ts';
import { ItemNotice } from './ItemNotice.tsx';

interface BankCardProps {
  card: BankCardData;
  trends: Map<number, DailyBalance[]> | undefined;
  onDeleted: () => void;
}

export function BankCard({ card: { item, accounts }, trends, onDeleted }: BankCardProps) {
  const page = useBankPage(item.id);
  const { remove, removing } = useDeleteItem(item.id, onDeleted);
  const updates = accounts.map((account) => account.updated_at);
  const stale = isStale(item.state, updates, useNow());
  const icons = (
    <>
      <IconButton
        icon="edit"
        title="Editer"
        subject={item.bank.name}
        busy={page.opening}
        onClick={page.edit}
      />
      <DeleteButton
        subject={item.bank.name}
        explanation={deletionOf(item.bank.name)}
        busy={removing}
        onConfirm={remove}
      />
    </>
  );
  return (
    <Card title={item.bank.name} mark={<BankMark bank={item.bank} />} icons={icons}>
      <ItemNotice
        notice={item.notice}
        stale={stale}
        bank={item.bank.name}
        page={page}
        removing={removing}
        onDelete={remove}
      />
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
      <Accounts accounts={accounts} trends={trends} refreshing={item.state === 'refreshing'} />
    </Card>
  );
}
