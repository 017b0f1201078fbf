import { useId } from 'react';
import type { BankAccount } from '../../shared/contract/banks.ts';
import type { AccountChoice } from '../../shared/contract/messengers.ts';
import { useKnownBankData } from '../banks/queries.ts';
import { Choice } from '../design/Choice.tsx';
import { FieldFault } from '../design/FieldFault.tsx';
import styles from './Picker.module.css';

interface AccountsPickerProps {
  choice: AccountChoice;
  onChange: (choice: AccountChoice) => void;
}

export function AccountsPicker({ choice, onChange }: AccountsPickerProps) {
  const name = useId();
  const { accounts } = useKnownBankData();
  const choose = () => onChange({ ...choice, scope: 'chosen', chosen: idsOf(accounts) });
  return (
    <fieldset className={styles.picker} aria-describedby={`${name}-fault`}>
      <legend className="unseen">Comptes concernés</legend>
      <Choice
        type="radio"
        name={name}
        label="Tous les comptes courants"
        checked={choice.scope === 'all'}
        onChange={() => onChange({ ...choice, scope: 'all' })}
      />
      <Choice
        type="radio"
        name={name}
        label="Comptes choisis"
        checked={choice.scope === 'chosen'}
        onChange={choose}
      />
      {choice.scope === 'chosen' && (
        <ChosenAccounts {...{ accounts, choice, onChange }} faultId={`${name}-fault`} />
      )}
    </fieldset>
  );
}

interface ChosenAccountsProps extends AccountsPickerProps {
  accounts: BankAccount[];
  faultId: string;
}

function ChosenAccounts({ accounts, choice, onChange, faultId }: ChosenAccountsProps) {
  const chosen = new Set(choice.chosen);
  function toggle(id: number, isChosen: boolean) {
    const ids = isChosen ? [...choice.chosen, id] : choice.chosen.filter((one) => one !== id);
    onChange({ ...choice, chosen: ids.toSorted((one, other) => one - other) });
  }
  return (
    <div className={styles.under}>
      {[...Map.groupBy(accounts, ({ item }) => item.id)].map(([itemId, ofBank]) => (
        <fieldset key={itemId}>
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
      <FieldFault id={faultId} text={faultOf(choice)} />
    </div>
  );
}

function faultOf({ chosen, includesNew }: AccountChoice): string | null {
  return chosen.length > 0 || includesNew ? null : 'Choisissez au moins un compte.';
}

function idsOf(accounts: BankAccount[]): number[] {
  return accounts.map(({ id }) => id).toSorted((one, other) => one - other);
}
