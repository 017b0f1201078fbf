import type { Messenger } from '../../shared/contract/messengers.ts';
import { ChannelField } from '../channels/ChannelField.tsx';
import { Button } from '../design/Button.tsx';
import { MessageField } from '../message/MessageField.tsx';
import { AccountsField } from './AccountsField.tsx';
import { HourField } from './HourField.tsx';
import styles from './MessengerForm.module.css';
import type { useMessengerForm } from './messenger-form.ts';
import { RestField } from './RestField.tsx';

interface MessengerFormProps {
  messenger: Messenger;
  form: ReturnType<typeof useMessengerForm>;
  /** Only what tests it is in sight. */
  folded: boolean;
}

export function MessengerForm({ messenger, form, folded }: MessengerFormProps) {
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
      }}
    >
      <div className={styles.fields} hidden={folded}>
        <ChannelField
          button={form.channel}
          messenger={messenger}
          value={form.values}
          fault={form.faults.channel}
          onChange={form.change}
        />
        <HourField
          days={form.values.days}
          stored={messenger.hour}
          hour={form.values.hour}
          onChange={(hour) => form.change({ hour })}
        />
        <MessageField
          textarea={form.message}
          messenger={messenger}
          values={form.values}
          fault={form.faults.message}
          onChange={(message) => form.change({ message })}
        />
        <div className={styles.settings}>
          <AccountsField
            choice={form.values.accounts}
            onChange={(accounts) => form.change({ accounts })}
          />
          <RestField values={form.values} onChange={form.change} />
        </div>
      </div>
      {form.changed && <p className={styles.note}>Modifications non enregistrées.</p>}
      <div className={styles.actions}>
        <Button busy={form.testing} onClick={form.sendTest}>
          Tester
        </Button>
        {!folded && (
          <Button type="submit" look="primary" busy={form.saving}>
            Valider
          </Button>
        )}
      </div>
    </form>
  );
}
