import { type KeyboardEvent, type RefObject, useId, useRef, useState } from 'react';
import type { Alert, AlertKind } from '../../../shared/contract/alerts.ts';
import { maxAlertAmount } from '../../../shared/contract/bounds.ts';
import { decimalsFault } from '../../../shared/money/written-amount.ts';
import { detailsOf, isGone } from '../../api/failure.ts';
import { Button } from '../../design/Button.tsx';
import { Choice } from '../../design/Choice.tsx';
import { FieldFault } from '../../design/FieldFault.tsx';
import { SelectField } from '../../design/SelectField.tsx';
import { numberText } from '../../money/balance.ts';
import { typedAmount } from '../../money/typed-amount.ts';
import styles from './Alerts.module.css';
import { useSaveAlert } from './queries.ts';
import {
  currencyOf,
  firstSubject,
  isListed,
  ruleOf,
  type Subjects,
  subjectValue,
  totalIn,
  withOwn,
} from './subjects.ts';
import { kindWords, subjectOfAll } from './words.ts';

interface AlertFormProps {
  messengerId: string;
  list: Subjects;
  /** The one that is changed; without it, one is added. */
  alert?: Alert;
  onDone: () => void;
  onCancel?: () => void;
  onGone?: () => void;
}

/**
 * What to watch, and from which amount on. It stands in the form of the notification, and is none itself.
 */
export function AlertForm({
  messengerId,
  list: offered,
  alert,
  onDone,
  onCancel,
  onGone,
}: AlertFormProps) {
  const list = withOwn(offered, alert);
  const [kind, setKind] = useState<AlertKind>(alert?.kind ?? 'below');
  const [chosen, setChosen] = useState(() => subjectValue(alert) ?? firstSubject(list));
  const [written, setWritten] = useState(() =>
    alert ? numberText(alert.amount, alert.currency_code) : '',
  );
  // The next step is then here: Valider saves the notification alone.
  const isBegun = written !== '';
  // What was typed is meant for the one that has left, and for no other.
  const subject = isListed(chosen, list) ? chosen : isBegun ? '' : firstSubject(list);
  const [fault, setFault] = useState<string | null>(null);
  const select = useRef<HTMLSelectElement>(null);
  const amount = useRef<HTMLInputElement>(null);
  const { mutate, isPending } = useSaveAlert(messengerId, alert?.id);
  const currency = currencyOf(subject, list.accounts);

  function send() {
    if (isPending) return;
    if (subject === '') return select.current?.focus();
    const value = typedAmount(written, currency);
    const found = decimalsFault(written, currency) ?? faultOf(kind, value);
    setFault(found);
    if (found || value === null) return amount.current?.focus();
    mutate(ruleOf(kind, subject, currency, value), {
      onSuccess: onDone,
      onError(failure) {
        if (isGone(failure)) onGone?.();
        const refused = detailsOf(failure).find(({ path }) => path === '/amount');
        if (!refused) return;
        setFault(refused.message);
        amount.current?.focus();
      },
    });
  }

  function write(text: string) {
    setWritten(text);
    setFault(null);
  }

  return (
    <fieldset className={`stack ${styles.form}`} onKeyDown={(event) => sendAtEnter(event, send)}>
      <legend className="unseen">{alert ? "Modifier l'alerte" : 'Nouvelle alerte'}</legend>
      <SubjectField {...{ select, kind, list, subject }} onChoose={setChosen} />
      <KindField kind={kind} onChoose={setKind} />
      <AmountField {...{ amount, currency, written, fault }} onWrite={write} />
      <div className={styles.actions}>
        <Button variant={isBegun ? 'primary' : 'plain'} busy={isPending} onClick={send}>
          {alert ? "Enregistrer l'alerte" : "Ajouter l'alerte"}
        </Button>
        {onCancel && <Button onClick={onCancel}>Annuler</Button>}
      </div>
      {isBegun && (
        <p className="note">
          Une alerte s'enregistre ici, sans passer par «{'\u202f'}Valider{'\u202f'}».
        </p>
      )}
    </fieldset>
  );
}

function sendAtEnter(event: KeyboardEvent<HTMLElement>, send: () => void): void {
  if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
  event.preventDefault();
  send();
}

interface SubjectFieldProps extends OptionsProps {
  select: RefObject<HTMLSelectElement | null>;
  /** Empty while what was chosen has left, and nothing else was chosen. */
  subject: string;
  onChoose: (subject: string) => void;
}

function SubjectField({ select, kind, list, subject, onChoose }: SubjectFieldProps) {
  const hasLeft = subject === '';
  return (
    <SelectField
      ref={select}
      label="À surveiller"
      value={subject}
      fault={hasLeft ? "Ce compte n'est plus relié. Choisissez-en un autre." : null}
      onChange={({ target }) => onChoose(target.value)}
    >
      {hasLeft && <option value="">À choisir</option>}
      <Options kind={kind} list={list} />
    </SelectField>
  );
}

interface OptionsProps {
  kind: AlertKind;
  list: Subjects;
}

/** The total of each currency, then the accounts, which come by bank. */
function Options({ kind, list: { accounts, currencies } }: OptionsProps) {
  return (
    <>
      {currencies.map((currency) => (
        <option key={currency} value={totalIn(currency)}>
          {currencies.length > 1 ? `${subjectOfAll[kind]} (${currency})` : subjectOfAll[kind]}
        </option>
      ))}
      {accounts.map(({ id, name, bank }) => (
        <option key={id} value={String(id)}>
          {`${name} (${bank.name})`}
        </option>
      ))}
    </>
  );
}

interface KindFieldProps {
  kind: AlertKind;
  onChoose: (kind: AlertKind) => void;
}

function KindField({ kind, onChoose }: KindFieldProps) {
  const name = useId();
  return (
    <fieldset>
      <legend>Quand prévenir</legend>
      {(['below', 'movement'] as const).map((one) => (
        <Choice
          key={one}
          type="radio"
          name={name}
          label={kindWords[one]}
          checked={kind === one}
          onChange={() => onChoose(one)}
        />
      ))}
    </fieldset>
  );
}

interface AmountFieldProps {
  amount: RefObject<HTMLInputElement | null>;
  currency: string;
  written: string;
  fault: string | null;
  onWrite: (text: string) => void;
}

/** With the letters' keyboard: the decimal pad of an iPhone has no minus sign. */
function AmountField({ amount, currency, written, fault, onWrite }: AmountFieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>Montant ({currency})</label>
      <input
        ref={amount}
        id={id}
        className="control"
        autoComplete="off"
        placeholder="500,00"
        value={written}
        aria-invalid={fault !== null}
        aria-describedby={fault ? `${id}-fault` : undefined}
        onChange={({ target }) => onWrite(target.value)}
      />
      <FieldFault id={`${id}-fault`} text={fault} />
    </div>
  );
}

function faultOf(kind: AlertKind, amount: number | null): string | null {
  if (amount === null) return 'Donnez un montant, par exemple 500 ou 1\u202f250,50.';
  if (Math.abs(amount) > maxAlertAmount) return '1\u202f000\u202f000\u202f000\u202f000 au plus.';
  return kind === 'movement' && amount <= 0 ? 'Donnez un montant plus grand que zéro.' : null;
}
