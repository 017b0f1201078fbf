import { useId, useRef } from 'react';
import type { BankAccount } from '../../shared/contract/banks.ts';
import type { AccountChoice } from '../../shared/contract/messengers.ts';
import { useCachedBankDataOrNull } from '../banks/queries.ts';
import { Choice } from '../design/Choice.tsx';
import { FieldFault } from '../design/FieldFault.tsx';
import { useRequestedFocus } from '../design/requested-focus.ts';
import styles from './Picker.module.css';

interface AccountsPickerProps extends ChoiceProps {
  /** By which `requestFocus` finds it. */
  name: string;
  fault: string | null;
}

interface ChoiceProps {
  choice: AccountChoice;
  onChange: (choice: AccountChoice) => void;
}

export function AccountsPicker({ name, choice, fault, onChange }: AccountsPickerProps) {
  const id = useId();
  const fields = useRef<HTMLFieldSetElement>(null);
  useRequestedFocus(name, fields);
  const accounts = useCachedBankDataOrNull()?.accounts;
  return (
    <fieldset
      ref={fields}
      tabIndex={-1}
      className={`stack ${styles.picker}`}
      aria-describedby={`${id}-remark ${id}-fault`}
    >
      <legend className="unseen">Comptes concernés</legend>
      <FieldFault id={`${id}-fault`} text={fault} />
      {accounts ? (
        <KnownAccounts {...{ id, accounts, choice, onChange }} />
      ) : (
        <p id={`${id}-remark`} role="status" className="note">
          {
            "Vos comptes ne sont pas connus pour l'instant\u202f: vous pourrez les choisir dès que vos banques seront chargées."
          }
        </p>
      )}
    </fieldset>
  );
}

interface KnownAccountsProps extends ChoiceProps {
  id: string;
  accounts: BankAccount[];
}

function KnownAccounts({ id, accounts, choice, onChange }: KnownAccountsProps) {
  return (
    <>
      <div>
        <Choice
          type="radio"
          name={id}
          label="Tous les comptes courants"
          checked={choice.scope === 'all'}
          // As the server keeps it: nothing is left of the choice before.
          onChange={() => onChange({ ...choice, scope: 'all', chosen: [] })}
        />
        <Choice
          type="radio"
          name={id}
          label="Comptes choisis"
          checked={choice.scope === 'chosen'}
          onChange={() => onChange({ ...choice, scope: 'chosen', chosen: idsOf(accounts) })}
        />
      </div>
      {choice.scope === 'chosen' && (
        <ChosenAccounts {...{ accounts, choice, onChange }} remarkId={`${id}-remark`} />
      )}
    </>
  );
}

interface ChosenAccountsProps extends ChoiceProps {
  accounts: BankAccount[];
  remarkId: string;
}

function ChosenAccounts({ accounts, choice, onChange, remarkId }: ChosenAccountsProps) {
  const chosen = new Set(choice.chosen);
  function toggle(id: number, isChosen: boolean) {
    // What left with its bank since has no box any more.
    const covered = accounts.filter((one) => (one.id === id ? isChosen : chosen.has(one.id)));
    onChange({ ...choice, chosen: idsOf(covered) });
  }
  return (
    <div className={styles.under}>
      {[...Map.groupBy(accounts, ({ item }) => item.id)].map(([connectionId, ofBank]) => (
        <fieldset key={connectionId}>
          <legend>{ofBank[0]?.bank.name}</legend>
          {ofBank.map(({ id, name }) => (
            <Choice
              key={id}
              type="checkbox"
              label={name}
              checked={chosen.has(id)}
              onChange={(isChosen) => toggle(id, isChosen)}
            />
          ))}
        </fieldset>
      ))}
      <Choice
        type="checkbox"
        label="Inclure les nouveaux comptes"
        checked={choice.includesNew}
        onChange={(includesNew) => onChange({ ...choice, includesNew })}
      />
      <p id={remarkId} role="status" className="note">
        {remarkOn(choice)}
      </p>
    </div>
  );
}

function remarkOn({ chosen, includesNew }: AccountChoice): string | null {
  if (chosen.length > 0) return null;
  return includesNew
    ? "Aucun compte pour l'instant, les nouveaux seront inclus."
    : 'Aucun compte choisi\u202f: le message dira «\u202faucun compte\u202f».';
}

function idsOf(accounts: BankAccount[]): number[] {
  return accounts.map(({ id }) => id).toSorted((one, other) => one - other);
}
