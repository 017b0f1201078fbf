import { type KeyboardEvent, useId, useRef, useState } from 'react';
import type {
  Alert,
  AlertKind,
  AlertList,
  AlertRule,
  WatchableAccount,
} from '../../../shared/contract/alerts.ts';
import { fromMinor } from '../../../shared/money/minor-units.ts';
import { decimalsFault, readAmountIn } from '../../../shared/money/written-amount.ts';
import { detailsOf, isGone } from '../../api/failure.ts';
import { Button } from '../../design/Button.tsx';
import { Choice } from '../../design/Choice.tsx';
import { FieldFault } from '../../design/FieldFault.tsx';
import { numberText } from '../../money/balance.ts';
import styles from './Alerts.module.css';
import { useSaveAlert } from './queries.ts';
import { kindWords, subjectOfAll } from './words.ts';

interface AlertFormProps {
  messengerId: string;
  list: Pick<AlertList, 'accounts' | 'currencies'>;
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
  const id = useId();
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

  function sendAtEnter(event: KeyboardEvent<HTMLElement>) {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    send();
  }

  return (
    <fieldset className={`stack ${styles.form}`} onKeyDown={sendAtEnter}>
      <legend className="unseen">{alert ? "Modifier l'alerte" : 'Nouvelle alerte'}</legend>
      <div className={styles.field}>
        <label htmlFor={`${id}-subject`}>À surveiller</label>
        <select
          ref={select}
          id={`${id}-subject`}
          value={subject}
          aria-invalid={subject === ''}
          aria-describedby={subject === '' ? `${id}-left` : undefined}
          onChange={({ target }) => setChosen(target.value)}
        >
          {subject === '' && <option value="">À choisir</option>}
          <Subjects kind={kind} list={list} />
        </select>
        <FieldFault
          id={`${id}-left`}
          text={subject === '' ? "Ce compte n'est plus relié. Choisissez-en un autre." : null}
        />
      </div>
      <fieldset>
        <legend>Quand prévenir</legend>
        {(['below', 'movement'] as const).map((one) => (
          <Choice
            key={one}
            type="radio"
            name={id}
            label={kindWords[one]}
            checked={kind === one}
            onChange={() => setKind(one)}
          />
        ))}
      </fieldset>
      <div className={styles.field}>
        <label htmlFor={`${id}-amount`}>Montant ({currency})</label>
        <input
          ref={amount}
          id={`${id}-amount`}
          className="control"
          inputMode="decimal"
          autoComplete="off"
          placeholder="500,00"
          value={written}
          aria-invalid={fault !== null}
          aria-describedby={fault ? `${id}-fault` : undefined}
          onChange={({ target }) => {
            setWritten(target.value);
            setFault(null);
          }}
        />
        <FieldFault id={`${id}-fault`} text={fault} />
      </div>
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

interface SubjectsProps {
  kind: AlertKind;
  list: AlertFormProps['list'];
}

/** The total of each currency, then the accounts, which come by bank. */
function Subjects({ kind, list: { accounts, currencies } }: SubjectsProps) {
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

/** With what is watched: a bank may not list its account now, and no account may be in its currency. */
function withOwn(list: AlertFormProps['list'], alert: Alert | undefined): AlertFormProps['list'] {
  if (!alert) return list;
  const { accounts, currencies } = list;
  const { account, currency_code: currency } = alert;
  if (account) {
    return accounts.some(({ id }) => id === account.id)
      ? list
      : { ...list, accounts: [account, ...accounts] };
  }
  return currencies.includes(currency) ? list : { ...list, currencies: [...currencies, currency] };
}

const totalIn = (currency: string) => `total ${currency}`;

function subjectValue(alert: Alert | undefined): string | null {
  if (!alert) return null;
  return alert.account ? String(alert.account.id) : totalIn(alert.currency_code);
}

/** What was chosen may have left with its bank. */
function isListed(subject: string, { accounts, currencies }: AlertFormProps['list']): boolean {
  return (
    accounts.some(({ id }) => String(id) === subject) ||
    currencies.some((currency) => totalIn(currency) === subject)
  );
}

/** An account: most people think of one. */
function firstSubject({ accounts, currencies }: AlertFormProps['list']): string {
  const [account] = accounts;
  return account ? String(account.id) : totalIn(currencies[0] ?? 'EUR');
}

function currencyOf(subject: string, accounts: WatchableAccount[]): string {
  const account = accounts.find(({ id }) => String(id) === subject);
  return account?.currency_code ?? (subject.split(' ')[1] || 'EUR');
}

function ruleOf(kind: AlertKind, subject: string, currency: string, amount: number): AlertRule {
  const account = subject.startsWith('total ') ? null : Number(subject);
  return { kind, account, currency_code: currency, amount };
}

/** The contract's bound of an alert's amount. */
const maxAmount = 1_000_000_000_000;

/** Null for what is no amount. */
function typedAmount(text: string, currency: string): number | null {
  const minor = readAmountIn(text, currency);
  return minor === null ? null : fromMinor(minor, currency);
}

function faultOf(kind: AlertKind, amount: number | null): string | null {
  if (amount === null) return 'Donnez un montant, par exemple 500 ou 1\u202f250,50.';
  if (Math.abs(amount) > maxAmount) return '1\u202f000\u202f000\u202f000\u202f000 au plus.';
  return kind === 'movement' && amount <= 0 ? 'Donnez un montant plus grand que zéro.' : null;
}
