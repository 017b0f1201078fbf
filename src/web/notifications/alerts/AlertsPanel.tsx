import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Alert, AlertList } from '../../../shared/contract/alerts.ts';
import type { Messenger } from '../../../shared/contract/messengers.ts';
import { QueryResult } from '../../api/QueryResult.tsx';
import { useCachedBankData } from '../../banks/queries.ts';
import { Button } from '../../design/Button.tsx';
import { DeleteButton } from '../../design/DeleteButton.tsx';
import { IconButton } from '../../design/IconButton.tsx';
import { useAmountsHidden } from '../../money/hiding.ts';
import { maskAmounts } from '../../money/masking.ts';
import { useNow } from '../../time/clock.ts';
import { AlertForm } from './AlertForm.tsx';
import styles from './Alerts.module.css';
import { useAlerts, useDeleteAlert } from './queries.ts';
import {
  alertSentence,
  ownReadingSentence,
  pausedSentence,
  readingSentence,
  stateSentence,
} from './words.ts';

interface AlertsPanelProps {
  messenger: Messenger;
  open: boolean;
}

/** What a notification tells of between two daily messages: a list, and the form that adds to it. */
export function AlertsPanel({ messenger, open }: AlertsPanelProps) {
  const alerts = useAlerts(messenger.id, open);
  return (
    <QueryResult
      query={alerts}
      failed="Les alertes n'ont pas pu être chargées."
      waiting={<p role="status">Chargement…</p>}
    >
      {(list) => <Alerts messenger={messenger} list={list} />}
    </QueryResult>
  );
}

interface AlertsProps {
  messenger: Messenger;
  list: AlertList;
}

function Alerts({ messenger, list }: AlertsProps) {
  const { alerts, most, accounts } = list;
  const panel = useRef<HTMLDivElement>(null);
  const hasUnwatched = useCachedBankData().accounts.length > 0;
  const rest = pausedSentence(messenger);
  return (
    <div ref={panel} tabIndex={-1} className={`stack ${styles.panel}`}>
      <p className="note">
        {
          "Recevez ici un message dès qu'un solde passe sous un montant, ou bouge de plus d'un montant, sans attendre le prochain envoi."
        }
      </p>
      {rest && <p className={styles.rest}>{rest}</p>}
      {alerts.length > 0 && (
        <ul className={styles.list} aria-label="Alertes">
          {alerts.map((alert) => (
            <AlertRow
              key={alert.id}
              {...{ alert, messenger, list }}
              onGone={() => panel.current?.focus({ preventScroll: true })}
            />
          ))}
        </ul>
      )}
      {accounts.length === 0 && (
        <p>
          {"Reliez d'abord une banque dont un solde est à surveiller."}
          {hasUnwatched && " Les comptes saisis ou importés ne déclenchent pas d'alerte."}
        </p>
      )}
      {accounts.length > 0 && alerts.length < most && <Adding {...{ messenger, list }} />}
      {alerts.length >= most && (
        <p className="note">{`${most} alertes, c'est le maximum. Supprimez-en une pour en ajouter une autre.`}</p>
      )}
      <p className="note">
        {`${readingSentence(alerts, messenger.hour)} La nuit, et au-delà de trois alertes par jour pour un compte, un récapitulatif part à 07:00. Un solde vieux de plus de 24 heures ne déclenche rien.`}
      </p>
    </div>
  );
}

/** The form, behind a button where there are alerts. */
function Adding({ messenger, list }: AlertsProps) {
  const [open, setOpen] = useState(list.alerts.length === 0);
  const frame = useRef<HTMLDivElement>(null);
  function turn(isOpen: boolean) {
    flushSync(() => setOpen(isOpen));
    frame.current?.querySelector<HTMLElement>(isOpen ? 'select' : 'button')?.focus();
  }
  const close = () => turn(false);
  return (
    <div ref={frame}>
      {open ? (
        <AlertForm
          messengerId={messenger.id}
          list={list}
          onDone={close}
          {...(list.alerts.length > 0 && { onCancel: close })}
        />
      ) : (
        <Button onClick={() => turn(true)}>Ajouter une alerte</Button>
      )}
    </div>
  );
}

interface AlertRowProps extends AlertsProps {
  alert: Alert;
  onGone: () => void;
}

function AlertRow({ alert, messenger, list, onGone }: AlertRowProps) {
  const [editing, setEditing] = useState(false);
  const edit = useRef<HTMLLIElement>(null);
  const now = useNow();
  const isHidden = useAmountsHidden();
  const { mutate: remove, isPending } = useDeleteAlert(messenger.id, alert.id);
  const shown = (text: string) => (isHidden ? maskAmounts(text) : text);
  const sentence = shown(alertSentence(alert));
  const notes = [stateSentence(alert, now, messenger.hour), ownReadingSentence(alert)];
  function close() {
    flushSync(() => setEditing(false));
    edit.current?.querySelector('button')?.focus();
  }
  return (
    <li ref={edit}>
      <div className={styles.row}>
        <p>{sentence}</p>
        <div className={styles.icons}>
          <IconButton
            icon={editing ? 'fold' : 'edit'}
            title={editing ? 'Replier' : 'Modifier'}
            subject={`l'alerte ${sentence}`}
            onClick={() => setEditing(!editing)}
          />
          <DeleteButton
            subject={`l'alerte ${sentence}`}
            explanation={`L'alerte «\u202f${sentence}\u202f».`}
            busy={isPending}
            onConfirm={() => remove(undefined, { onSuccess: onGone })}
          />
        </div>
      </div>
      {notes.map(
        (note) =>
          note && (
            <p key={note} className="note">
              {shown(note)}
            </p>
          ),
      )}
      {editing && (
        <AlertForm
          messengerId={messenger.id}
          list={list}
          alert={alert}
          onDone={close}
          onCancel={close}
          onGone={onGone}
        />
      )}
    </li>
  );
}
