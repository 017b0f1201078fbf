import type { AccountChoice, Messenger } from '../../shared/contract/messengers.ts';
import { Button } from '../design/Button.tsx';
import { Choice } from '../design/Choice.tsx';
import { chunk } from '../design/chunk.ts';
import { LazyDetails } from '../design/LazyDetails.tsx';
import { ChannelField } from './channels/ChannelField.tsx';
import { HourField } from './HourField.tsx';
import { LinkChat } from './linking/LinkChat.tsx';
import styles from './MessengerForm.module.css';
import { MessageField } from './message/MessageField.tsx';
import type { useMessengerForm } from './messenger-form.ts';

const accountsPicker = chunk(() =>
  import('./AccountsPicker.tsx').then((file) => file.AccountsPicker),
);
const messageSettings = chunk(() =>
  import('./message/MessageSettings.tsx').then((file) => file.MessageSettings),
);
const restPicker = chunk(() => import('./RestPicker.tsx').then((file) => file.RestPicker));

interface MessengerFormProps {
  messenger: Messenger;
  form: ReturnType<typeof useMessengerForm>;
  /** Shows the button of the test alone. */
  folded: boolean;
}

export function MessengerForm({ messenger, form, folded }: MessengerFormProps) {
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
      }}
    >
      <div className={styles.fields} hidden={folded}>
        {messenger.channels === 'one' ? (
          <LinkChat
            label={messenger.relinkLabel ?? 'Relier un autre canal'}
            messenger={messenger}
          />
        ) : (
          <ChannelField
            button={form.channel}
            open={form.choosing}
            onOpen={form.setChoosing}
            messenger={messenger}
            value={form.values}
            fault={form.faults.channel}
            onChange={form.change}
          />
        )}
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
        {form.values.chart !== null && (
          <Choice
            type="checkbox"
            label="Ajouter une courbe du total des derniers jours"
            checked={form.values.chart}
            onChange={(chart) => form.change({ chart })}
          />
        )}
        <div className={styles.settings}>
          <LazyDetails
            summary={`Comptes\u202f: ${choiceWords(form.values.accounts)}`}
            prepare={accountsPicker.prepare}
          >
            {() => (
              <accountsPicker.Part
                choice={form.values.accounts}
                onChange={(accounts) => form.change({ accounts })}
              />
            )}
          </LazyDetails>
          <LazyDetails summary="Signalements, opérations" prepare={messageSettings.prepare}>
            {() => (
              <messageSettings.Part
                messenger={messenger}
                values={form.values}
                textarea={form.message}
                onChange={form.change}
              />
            )}
          </LazyDetails>
          <LazyDetails summary="Jours d'envoi, jours fériés, pause" prepare={restPicker.prepare}>
            {() => <restPicker.Part values={form.values} onChange={form.change} />}
          </LazyDetails>
        </div>
      </div>
      {form.changed && <p className={`note ${styles.note}`}>Modifications non enregistrées.</p>}
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

/** Which accounts the message is about. */
function choiceWords({ scope, chosen, includesNew }: AccountChoice): string {
  if (scope === 'all') return 'tous les comptes courants';
  const words = `${chosen.length || 'aucun'} choisi${chosen.length > 1 ? 's' : ''}`;
  return includesNew ? `${words}, et les nouveaux` : words;
}
