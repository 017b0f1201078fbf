import { useId } from 'react';
import type { Messenger } from '../../shared/contract/messengers.ts';
import { ChannelField } from '../channels/ChannelField.tsx';
import { Button } from '../design/Button.tsx';
import { FieldFault } from '../design/FieldFault.tsx';
import { HourField } from './HourField.tsx';
import styles from './MessengerForm.module.css';
import type { useMessengerForm } from './messenger-form.ts';

interface MessengerFormProps {
  messenger: Messenger;
  form: ReturnType<typeof useMessengerForm>;
}

export function MessengerForm({ messenger, form }: MessengerFormProps) {
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
      }}
    >
      <ChannelField
        button={form.channel}
        messenger={messenger}
        value={form.values}
        fault={form.faults.channel}
        onChange={form.change}
      />
      <HourField
        stored={messenger.hour}
        hour={form.values.hour}
        onChange={(hour) => form.change({ hour })}
      />
      <MessageField form={form} />
      <div className={styles.actions}>
        <Button busy={form.testing} onClick={form.sendTest}>
          Tester
        </Button>
        <Button type="submit" look="primary" busy={form.saving}>
          Valider
        </Button>
      </div>
    </form>
  );
}

function MessageField({ form }: Pick<MessengerFormProps, 'form'>) {
  const id = useId();
  const fault = form.faults.message;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>Message</label>
      <textarea
        ref={form.message}
        id={id}
        rows={5}
        value={form.values.message}
        aria-invalid={fault !== null}
        aria-describedby={fault ? `${id}-fault` : undefined}
        onChange={(event) => form.change({ message: event.target.value })}
      />
      <FieldFault id={`${id}-fault`} text={fault} />
    </div>
  );
}
