import { useState } from 'react';
import type { StatementColumns, StatementTable } from '../../../shared/contract/statements.ts';
import { readAmount } from '../../../shared/money/written-amount.ts';
import { Field } from '../../design/Field.tsx';
import { Form, useFieldFault } from '../../design/Form.tsx';
import { SelectField } from '../../design/SelectField.tsx';
import { unreadableAmount } from '../../money/typed-amount.ts';
import styles from './ColumnsForm.module.css';

interface ColumnsFormProps {
  table: StatementTable;
  busy: boolean;
  onChosen: (columns: StatementColumns) => void;
}

type Values = Record<'date' | 'balance' | 'amount' | 'debit' | 'credit' | 'day' | 'known', string>;

/** The first rows of a table, and what each column means: proposed, and corrected here. */
export function ColumnsForm({
  table: { header, rows, columns },
  busy,
  onChosen,
}: ColumnsFormProps) {
  const [refused, refuse] = useState<Refusal[]>([]);
  function send(values: Values) {
    const wrong = wrongIn(values);
    refuse(wrong);
    if (wrong.length === 0) onChosen(readColumns(values));
  }
  return (
    <>
      <section
        className={styles.rows}
        aria-label="Premières lignes du fichier"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, with the keyboard too.
        tabIndex={0}
      >
        <table>
          <thead>
            <tr>
              {header.map((name, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name of their own.
                <th key={index} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, number) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two rows may be the same.
              <tr key={number}>
                {row.map((cell, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: as above.
                  <td key={index}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Form<Values> submit="Vérifier" variant="plain" busy={busy} refused={refused} onSend={send}>
        <div className={styles.choices}>
          {choices.map(([name, label]) => (
            <ColumnChoice
              key={name}
              {...{ name, label, header }}
              value={columns?.[name] ?? null}
              required={name === 'date'}
            />
          ))}
        </div>
        <p className="note">
          Sans colonne de solde, indiquez un solde connu{'\u202f'}: les autres en sont déduits.
        </p>
        <div className={styles.choices}>
          <Field
            label="Solde connu"
            name="known"
            defaultValue={columns?.known?.amount}
            maxLength={40}
          />
          <Field label="À la fin du" name="day" type="date" defaultValue={columns?.known?.day} />
        </div>
      </Form>
    </>
  );
}

const choices = [
  ['date', 'Date'],
  ['balance', 'Solde'],
  ['amount', 'Montant'],
  ['debit', 'Débit'],
  ['credit', 'Crédit'],
] as const;

interface ColumnChoiceProps {
  name: string;
  label: string;
  header: string[];
  value: number | null;
  required: boolean;
}

function ColumnChoice({ name, label, header, value, required }: ColumnChoiceProps) {
  const fault = useFieldFault(name);
  return (
    <SelectField {...{ label, name, required, fault }} defaultValue={value ?? ''}>
      <option value="">Aucune</option>
      {header.map((title, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name of their own.
        <option key={index} value={index}>
          {title || `Colonne ${index + 1}`}
        </option>
      ))}
    </SelectField>
  );
}

interface Refusal {
  path: string;
  message: string;
}

/** Without a column of balances, they are counted from one that is known at the end of a day. */
function wrongIn({ balance, known, day }: Values): Refusal[] {
  if (balance !== '') return [];
  const wrong: Refusal[] = [];
  if (known.trim() === '') {
    const message = 'Indiquez un solde connu, ou la colonne du solde.';
    wrong.push({ path: '/known', message });
    // Of a currency with the most decimals: that of the account is the server's to know.
  } else if (readAmount(known, 'BHD') === null) {
    wrong.push({ path: '/known', message: unreadableAmount });
  }
  if (known.trim() !== '' && day === '')
    wrong.push({ path: '/day', message: 'Indiquez le jour de ce solde.' });
  return wrong;
}

function readColumns(values: Values): StatementColumns {
  const columnIn = (value: string) => (value === '' ? null : Number(value));
  return {
    date: Number(values.date),
    balance: columnIn(values.balance),
    amount: columnIn(values.amount),
    debit: columnIn(values.debit),
    credit: columnIn(values.credit),
    known: values.day && values.known ? { day: values.day, amount: values.known } : null,
  };
}
