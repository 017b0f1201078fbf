import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { parisDayOf } from '../../../shared/calendar/wall-clock.ts';
import type { BankAccount, DailyBalance } from '../../../shared/contract/banks.ts';
import { decimalsFault } from '../../../shared/money/written-amount.ts';
import { useAttempt } from '../../api/attempt.ts';
import { call } from '../../api/call.ts';
import { FailureCallout } from '../../api/FailureCallout.tsx';
import { ApiError, detailsOf, isGone, showFailure } from '../../api/failure.ts';
import { Avatar } from '../../design/Avatar.tsx';
import { Button } from '../../design/Button.tsx';
import { DeleteButton } from '../../design/DeleteButton.tsx';
import { Field, named } from '../../design/Field.tsx';
import { Form } from '../../design/Form.tsx';
import { requestFocus } from '../../design/requested-focus.ts';
import { SelectField } from '../../design/SelectField.tsx';
import { SheetChoice, SheetChoices } from '../../design/Sheet.tsx';
import { showToast } from '../../design/toasts/toasts.ts';
import { Balance } from '../../money/Amount.tsx';
import { typedAmount, unreadableAmount } from '../../money/typed-amount.ts';
import { useNow } from '../../time/clock.ts';
import { longDate } from '../../time/dates.ts';
import { banksFocusName, cardFocusName, initialsOf } from '../bank-cards.ts';
import { type BankData, bankKeys, useCachedBankData } from '../queries.ts';
import { useMessagesWithout } from '../use-messages-without.ts';
import { showChange } from './changes.ts';
import styles from './ManualForm.module.css';
import type { ManualSource } from './offers.ts';

interface ManualFormProps {
  offer: ManualSource;
  /** An account is added; else one of those that are there is chosen first. */
  isNew: boolean;
  onDone: () => void;
}

/** Accounts whose figures their owner types. */
export function ManualForm({ offer, isNew, onDone }: ManualFormProps) {
  const { connections, accounts } = useCachedBankData();
  const card = connections.find(({ form }) => form === offer.source);
  const mine = accounts.filter(({ item }) => item.id === card?.id);
  const [chosen, choose] = useState<number | 'new' | null>(isNew || !card ? 'new' : null);
  const changes = useChanges(offer.source, onDone);
  const account = mine.find(({ id }) => id === chosen);
  if (chosen === 'new') return <NewAccount {...changes} />;
  if (account) return <KnownAccount key={account.id} account={account} {...changes} />;
  return (
    <>
      <SheetChoices>
        {mine.map(({ id, name, balance, currency_code }) => (
          <SheetChoice
            key={id}
            avatar={<Avatar>{initialsOf(name)}</Avatar>}
            name={name}
            note={<Balance balance={balance} currency={currency_code} />}
            onChoose={() => choose(id)}
          />
        ))}
      </SheetChoices>
      <Button onClick={() => choose('new')}>Ajouter un compte</Button>
    </>
  );
}

type Changes = ReturnType<typeof useChanges>;

function NewAccount({ busy, failure, refused, save }: Changes) {
  return (
    <Form<Record<'name' | 'currency' | 'balance' | 'day', string>>
      submit="Ajouter"
      busy={busy}
      refused={refused}
      onSend={({ name, currency, balance, day }) =>
        save('POST', '', 'Le compte a été ajouté', () => ({
          ...{ name, currency_code: currency, day },
          balance: readBalance(balance, currency),
        }))
      }
    >
      <Field
        label="Nom du compte"
        name="name"
        placeholder="Caisse, livret, compte à l'étranger"
        {...named}
      />
      <SelectField label="Devise" name="currency" defaultValue="EUR">
        {currencies().map(([code, words]) => (
          <option key={code} value={code}>
            {words}
          </option>
        ))}
      </SelectField>
      <FigureFields />
      <FailureCallout {...{ failure, refused }} />
    </Form>
  );
}

function KnownAccount({ account, ...changes }: Changes & { account: BankAccount }) {
  const { busy, failure, refused, save } = changes;
  const { id, name, currency_code: currency } = account;
  const messagesWithout = useMessagesWithout([account]);
  return (
    <>
      <Form<Record<'name' | 'balance' | 'day', string>>
        submit="Enregistrer"
        busy={busy}
        refused={refused}
        onSend={({ name: typed, balance, day }) => {
          const isRenamed = balance.trim() === '' && typed.trim() !== name;
          const done = isRenamed ? 'Le compte a été renommé' : 'Le solde a été enregistré';
          return save('PATCH', `/${id}`, done, () => ({
            name: typed,
            ...(isRenamed ? {} : { figure: { day, balance: readBalance(balance, currency) } }),
          }));
        }}
      >
        <Field label="Nom du compte" name="name" defaultValue={name} {...named} />
        <FigureFields currency={currency} />
        <FailureCallout {...{ failure, refused }} />
      </Form>
      <TypedFigures
        account={account}
        busy={busy}
        onRemove={(day) => save('DELETE', `/${id}/figures/${day}`, 'Le solde a été retiré')}
      />
      <DeleteButton
        subject={name}
        label="Supprimer ce compte"
        explanation={`${name}, avec tous ses soldes. ${messagesWithout}`}
        busy={busy}
        onConfirm={() => save('DELETE', `/${id}`, 'Le compte a été supprimé')}
      />
    </>
  );
}

/** A figure and its day: today unless told otherwise, in Paris or here where that is later. */
function FigureFields({ currency }: { currency?: string }) {
  const now = useNow();
  const inParis = parisDayOf(now);
  const here = now.toLocaleDateString('sv');
  const today = here > inParis ? here : inParis;
  return (
    <div className={styles.figure}>
      <Field
        label={currency ? `Solde (${currency})` : 'Solde'}
        name="balance"
        placeholder={'1\u202f234,56'}
        autoComplete="off"
        maxLength={30}
        // A known account may only be renamed.
        required={currency === undefined}
      />
      <Field label="Jour" name="day" type="date" defaultValue={today} max={today} required />
    </div>
  );
}

interface TypedFiguresProps {
  account: BankAccount;
  busy: boolean;
  onRemove: (day: string) => void;
}

/** What was typed before, the latest first; each but the only one can be taken back. */
function TypedFigures({ account, busy, onRemove }: TypedFiguresProps) {
  const now = useNow();
  const { data: figures = [] } = useQuery({
    queryKey: ['balances', account.id, 'typed', account.updated_at, account.balance],
    queryFn: ({ signal }) =>
      call<DailyBalance[]>('GET', `/bridge/accounts/${account.id}/balances?days=400`, { signal }),
  });
  if (figures.length === 0) return null;
  return (
    <details>
      <summary>Soldes saisis ({figures.length})</summary>
      <ul className={styles.figures}>
        {figures.toReversed().map(({ day, balance, currency_code }) => (
          <li key={day}>
            <span>
              {longDate(day, now)}
              {'\u202f'}: <Balance balance={balance} currency={currency_code} />
            </span>
            {figures.length > 1 && (
              <DeleteButton
                subject={`le solde du ${longDate(day, now)}`}
                explanation={`Le solde du ${longDate(day, now)}.`}
                busy={busy}
                onConfirm={() => onRemove(day)}
              />
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Throws a sentence to be shown. */
function readBalance(text: string, currency: string): number {
  if (text.trim() === '') throw new TypedAmountError('Écrivez un solde, ou un autre nom.');
  const balance = typedAmount(text, currency);
  if (balance === null)
    throw new TypedAmountError(decimalsFault(text, currency) ?? unreadableAmount);
  return balance;
}

class TypedAmountError extends Error {
  readonly details = [{ path: '/balance', message: this.message }];
}

/** The euro first, the others by their French name. */
function currencies(): [code: string, words: string][] {
  const names = new Intl.DisplayNames('fr', { type: 'currency' });
  const all = Intl.supportedValuesOf('currency')
    // One without a name in French is a code of accountants.
    .filter((code) => names.of(code) !== code)
    .map((code): [string, string] => [code, `${names.of(code)} (${code})`]);
  const rank = (code: string) => Number(code !== 'EUR');
  return all.sort(
    ([one, words], [other, others]) => rank(one) - rank(other) || words.localeCompare(others, 'fr'),
  );
}

/** One call at a time, and what came of it. */
function useChanges(source: string, onDone: () => void) {
  const client = useQueryClient();
  const { busy, failure, attempt } = useAttempt();
  function save(
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    done: string,
    bodyOf?: () => unknown,
  ) {
    return attempt(
      async () => {
        const body = bodyOf?.();
        const accounts = `/banks/sources/${source}/accounts`;
        try {
          await call(method, accounts + path, body === undefined ? {} : { body });
          showToast('success', done);
        } catch (failure) {
          // Without an answer it may be stored all the same.
          if (!(failure instanceof ApiError) || failure.status === 409) void showChange(client);
          if (!isGone(failure)) throw failure;
          if (method === 'DELETE') showToast('success', done);
          else showFailure(failure);
        }
        await showChange(client);
      },
      () => {
        const known = client.getQueryData<BankData>(bankKeys.data);
        const card = known?.connections.find(({ form }) => form === source);
        if (!card) requestFocus(banksFocusName);
        else if (method === 'POST') requestFocus(cardFocusName(card.id));
        onDone();
      },
    );
  }
  return { busy, failure, refused: refusedBy(failure), save };
}

function refusedBy(failure: unknown) {
  return failure instanceof TypedAmountError ? failure.details : detailsOf(failure);
}
