import type { ConnectionNotice } from '../../shared/contract/banks.ts';
import { Button } from '../design/Button.tsx';
import { Callout } from '../design/Callout.tsx';
import { DeleteButton } from '../design/DeleteButton.tsx';
import type { useBankPage } from './bank-page.ts';
import { deletionOf } from './delete-item.ts';

interface ItemNoticeProps {
  /** Null when there is nothing to say. */
  notice: ConnectionNotice | null;
  /** The warning about stale balances stands beside it. */
  stale: boolean;
  bank: string;
  page: ReturnType<typeof useBankPage>;
  removing: boolean;
  onDelete: () => void;
}

/** What the connection's state means, with the one thing to do about it. */
export function ItemNotice(props: ItemNoticeProps) {
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

function ItemAction({ notice, bank, page, removing, onDelete }: ItemNoticeProps) {
  const action = notice?.action;
  if (!action) return null;
  if (action.kind === 'delete') {
    return (
      <DeleteButton
        subject={bank}
        explanation={deletionOf(bank)}
        label={action.label}
        busy={removing}
        onConfirm={onDelete}
      />
    );
  }
  return (
    <Button busy={page.opening} onClick={action.kind === 'confirm' ? page.confirm : page.edit}>
      {action.label}
    </Button>
  );
}
