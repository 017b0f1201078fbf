import type { ReactNode } from 'react';
import type { AccountChoice, Messenger } from '../../shared/contract/messengers.ts';
import { Choice } from '../design/Choice.tsx';
import { LazyDetails } from '../design/LazyDetails.tsx';
import { lazyComponent } from '../design/lazy-component.ts';
import { ChannelField } from './channels/ChannelField.tsx';
import { HourField } from './HourField.tsx';
import { LinkChatButton } from './linking/LinkChatButton.tsx';
import styles from './MessengerForm.module.css';
import { MessageField } from './message/MessageField.tsx';
import { accountsFocusName, type useMessengerForm } from './messenger-form.ts';

const accountsPicker = lazyComponent(
  () => import('./AccountsPicker.tsx'),
  (file) => file.AccountsPicker,
);
const messageSettings = lazyComponent(
  () => import('./message/MessageSettings.tsx'),
  (file) => file.MessageSettings,
);
const sendingDaysPicker = lazyComponent(
  () => import('./SendingDaysPicker.tsx'),
  (file) => file.SendingDaysPicker,
);

interface MessengerFieldsProps {
  messenger: Messenger;
  form: ReturnType<typeof useMessengerForm>;
  /** The button of its next step is the solid one of the page. */
  hasPrimaryAction: boolean;
  /** Nothing of it is on screen. */
  folded: boolean;
  /** Beside the card; null where the page is too narrow for it. */
  previewBox: HTMLElement | null;
  /** What else the card holds. */
  children: ReactNode;
}

export function MessengerFields(props: MessengerFieldsProps) {
  const { messenger, form, hasPrimaryAction, folded, previewBox, children } = props;
  const { pause, ...others } = form.faults;
  const above = Object.values(others);
  return (
    <>
      {messenger.channels === 'one' ? (
        <LinkChatButton
          label={messenger.relinkLabel ?? 'Relier un autre channel'}
          messenger={messenger}
        />
      ) : (
        <ChannelField
          button={form.channel}
          open={form.choosing}
          onOpen={form.setChoosing}
          messenger={messenger}
          value={form.values}
          isNext={hasPrimaryAction && form.next === 'channel'}
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
        folded={folded}
        previewBox={previewBox}
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
          preload={accountsPicker.preload}
          isNeeded={form.accountsAsked}
        >
          {() => (
            <accountsPicker.Component
              name={accountsFocusName(messenger.id)}
              choice={form.values.accounts}
              fault={form.faults.accounts}
              onChange={(accounts) => form.change({ accounts })}
            />
          )}
        </LazyDetails>
        <LazyDetails summary="À signaler, opérations" preload={messageSettings.preload}>
          {() => (
            <messageSettings.Component
              messenger={messenger}
              values={form.values}
              textarea={form.message}
              onChange={form.change}
            />
          )}
        </LazyDetails>
        <LazyDetails
          summary="Pause, jours d'envoi, jours fériés"
          preload={sendingDaysPicker.preload}
          isNeeded={pause !== null && form.refusals}
        >
          {() => (
            <sendingDaysPicker.Component
              values={form.values}
              fault={pause}
              isFirstFault={above.every((fault) => fault === null)}
              pause={form.pause}
              onChange={form.change}
            />
          )}
        </LazyDetails>
        {children}
      </div>
    </>
  );
}

/** Which accounts the message is about. */
function choiceWords({ scope, chosen, includesNew }: AccountChoice): string {
  if (scope === 'all') return 'tous les comptes courants';
  const words = `${chosen.length || 'aucun'} choisi${chosen.length > 1 ? 's' : ''}`;
  return includesNew ? `${words}, et les nouveaux` : words;
}
