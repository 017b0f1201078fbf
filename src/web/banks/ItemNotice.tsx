import type { ItemState } from '../../shared/banks/item-states.ts';
import { Button } from '../design/Button.tsx';
import { Callout } from '../design/Callout.tsx';
import { DeleteButton } from '../design/DeleteButton.tsx';
import type { useBankPage } from './bank-page.ts';
import { deletionOf } from './delete-item.ts';

interface ItemNoticeProps {
  state: ItemState;
  bank: string;
  page: ReturnType<typeof useBankPage>;
  removing: boolean;
  onDelete: () => void;
}

/** What the connection's state means, with the one thing to do about it. */
export function ItemNotice(props: ItemNoticeProps) {
  const { sentence, action } = props.state;
  return (
    <div role="status">
      {sentence !== null && (
        <Callout look={action === 'none' ? 'quiet' : 'warning'} action={<ItemAction {...props} />}>
          {sentence}
        </Callout>
      )}
    </div>
  );
}

function ItemAction({ state, bank, page, removing, onDelete }: ItemNoticeProps) {
  if (state.action === 'none') return null;
  if (state.action === 'delete') {
    return (
      <DeleteButton
        subject={bank}
        explanation={deletionOf(bank)}
        label={state.label}
        busy={removing}
        onConfirm={onDelete}
      />
    );
  }
  return (
    <Button busy={page.opening} onClick={state.action === 'pro' ? page.confirm : page.edit}>
      {state.label}
    </Button>
  );
}
