import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BankItem } from '../../../shared/contract/banks.ts';
import type {
  StatementNames,
  StatementPreview,
  TableChoice,
} from '../../../shared/contract/statements.ts';
import { useAttempt } from '../../api/attempt.ts';
import { call } from '../../api/call.ts';
import { ApiError, failureText } from '../../api/failure.ts';
import { Callout } from '../../design/Callout.tsx';
import { Field, named } from '../../design/Field.tsx';
import { Form } from '../../design/Form.tsx';
import { requestFocus } from '../../design/requested-focus.ts';
import { SelectField } from '../../design/SelectField.tsx';
import { SheetSteps } from '../../design/Sheet.tsx';
import { showToast } from '../../design/toasts/toasts.ts';
import { Balance } from '../../money/Amount.tsx';
import { useNow } from '../../time/clock.ts';
import { longDate } from '../../time/dates.ts';
import { cardFocusName } from '../bank-cards.ts';
import styles from './ColumnsForm.module.css';
import { ColumnsForm } from './ColumnsForm.tsx';
import { showChange } from './changes.ts';
import type { FileSource } from './offers.ts';

interface ImportFormProps {
  offer: FileSource;
  /** The card that is edited: the file is of this bank. */
  edited: BankItem | undefined;
  onImported: () => void;
}

/** A file, what it says, and its import once that is right. */
export function ImportForm({ offer, edited, onImported }: ImportFormProps) {
  const [file, setFile] = useState<File | null>(null);
  const [asked, setAsked] = useState(nothingAsked);
  const { busy, failure, preview, isStale, showPreview, keep } = useStatement(
    offer,
    edited?.id ?? null,
    onImported,
  );
  const { steps, accept, maxBytes } = offer.connect;
  function choose(chosen: File | undefined, what = nothingAsked) {
    if (!chosen || busy) return;
    setFile(chosen);
    setAsked(what);
    void showPreview(chosen, what, maxBytes);
  }
  return (
    <>
      <SheetSteps steps={steps} />
      <Field
        label="Fichier"
        type="file"
        accept={accept}
        aria-disabled={busy || undefined}
        onClick={(event) => {
          if (busy) event.preventDefault();
          // The same file, mended, is a choice too.
          else event.currentTarget.value = '';
        }}
        onDrop={(event) => busy && event.preventDefault()}
        onChange={(event) => choose(event.currentTarget.files?.[0])}
      />
      <p role="status">{busy ? 'Lecture du fichier…' : !isStale && foundWords(preview)}</p>
      <div role="alert">{failure && <Callout variant="failure">{failure}</Callout>}</div>
      {file && preview?.table?.sheets && preview.table.sheets.names.length > 1 && (
        <SheetChoiceField
          sheets={preview.table.sheets}
          busy={busy}
          onChosen={(sheet) => choose(file, { columns: null, sheet })}
        />
      )}
      {file && preview?.table && (
        <ColumnsForm
          key={preview.table.sheets?.chosen}
          table={preview.table}
          busy={busy}
          onChosen={(columns) => choose(file, { ...asked, columns })}
        />
      )}
      {file && preview && preview.accounts.length > 0 && (
        // What was typed stays while another reading is awaited.
        <div hidden={isStale}>
          <AccountsForm
            key={proposalOf(preview)}
            accounts={preview.accounts}
            busy={busy}
            onNamed={(names) => keep(file, asked, names)}
          />
        </div>
      )}
    </>
  );
}

const nothingAsked: TableChoice = { columns: null, sheet: null };

interface SheetChoiceFieldProps {
  sheets: { names: string[]; chosen: number };
  busy: boolean;
  onChosen: (sheet: number) => void;
}

/** Which sheet of a workbook holds the account. */
function SheetChoiceField({ sheets, busy, onChosen }: SheetChoiceFieldProps) {
  return (
    <SelectField
      label="Feuille"
      value={sheets.chosen}
      aria-disabled={busy || undefined}
      onChange={(event) => onChosen(Number(event.currentTarget.value))}
    >
      {sheets.names.map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the sheets of one file keep their order.
        <option key={index} value={index}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

interface AccountsFormProps {
  accounts: StatementPreview['accounts'];
  busy: boolean;
  onNamed: (names: StatementNames) => void;
}

/** Each account of the file with its figure, and what it is to be called. */
function AccountsForm({ accounts, busy, onNamed }: AccountsFormProps) {
  const now = useNow();
  return (
    <Form<Record<string, string>>
      submit="Importer"
      busy={busy}
      onSend={(values) =>
        onNamed(
          accounts.map((_, index) => ({
            bank: values[`bank${index}`] ?? '',
            name: values[`name${index}`] ?? '',
          })),
        )
      }
    >
      {accounts.map((account, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the accounts of one file keep their order.
        <fieldset key={index} className={`stack ${styles.account}`}>
          <legend>
            <strong>
              <Balance balance={account.balance} currency={account.currency_code} />
            </strong>{' '}
            au {longDate(account.day, now)}
            {account.ending && `, compte …${account.ending}`}
            {account.isKnown && " (suite d'un compte déjà importé)"}
            {remarksOn(account)}
          </legend>
          <Field label="Banque" name={`bank${index}`} defaultValue={account.bank} {...named} />
          <Field
            label="Nom du compte"
            name={`name${index}`}
            defaultValue={account.name}
            {...named}
          />
        </fieldset>
      ))}
    </Form>
  );
}

/** Whole sentences, after what is said of the figure. */
function remarksOn({ isUncertain, warning, isCurrent }: StatementPreview['accounts'][number]) {
  const remarks = [
    isUncertain &&
      "Rien ne dit de quel compte il vient\u202f: écrivez la banque et le nom d'un compte déjà importé pour le continuer, ou ceux d'un nouveau.",
    warning,
    !isCurrent && "Ce n'est pas un compte courant\u202f: il ne sera ni affiché ni compté.",
  ].filter(Boolean);
  return remarks.length > 0 && `. ${remarks.join(' ')}`;
}

/** Another one is another form: its fields hold what is proposed now. */
function proposalOf({ accounts, table }: StatementPreview): string {
  return JSON.stringify([table?.sheets?.chosen, accounts.map(({ bank, name }) => [bank, name])]);
}

/** Says that something came under the field of the file. */
function foundWords(preview: StatementPreview | null): string | null {
  if (!preview) return null;
  const { length } = preview.accounts;
  if (length > 0) return length > 1 ? `${length} comptes trouvés.` : '1 compte trouvé.';
  return preview.table ? 'Indiquez ce que chaque colonne contient.' : null;
}

/** The two calls, and what came of them. */
function useStatement({ source }: FileSource, connection: number | null, onImported: () => void) {
  const client = useQueryClient();
  const { busy, failure, attempt } = useAttempt();
  const [preview, setPreview] = useState<StatementPreview | null>(null);
  const [isStale, setStale] = useState(false);
  const pathOf = (last: string, query: Record<string, unknown>) => {
    const given = Object.entries(query).filter(([, value]) => value !== null);
    const search = given.map(([name, value]) => [name, JSON.stringify(value)] as [string, string]);
    return `/banks/sources/${source}/${last}?${new URLSearchParams(search)}`;
  };
  const previewed = (file: File, query: Record<string, unknown>) =>
    call<StatementPreview>('POST', pathOf('previews', { ...query, connection }), { file });
  return {
    ...{ busy, failure: failure === null ? null : wordsOf(failure), preview, isStale },
    showPreview: (file: File, asked: TableChoice, maxBytes: number) =>
      attempt(async () => {
        // What was found before says nothing of what is asked now.
        setStale(true);
        if (asked === nothingAsked) setPreview(null);
        if (file.size > maxBytes) throw new FileTooLargeError(maxBytes);
        setPreview(await previewed(file, { ...asked }));
        setStale(false);
      }),
    keep: (file: File, asked: TableChoice, names: StatementNames) =>
      attempt(
        async () => {
          const announced = preview?.accounts.map(({ accountId = null }) => accountId) ?? null;
          const path = pathOf('statements', { ...asked, names, announced });
          const banks = await call<BankItem[]>('POST', path, { file }).catch(async (error) => {
            // The account that these names continue is shown, for the person to confirm it.
            if (isOfKnownAccount(error)) setPreview(await previewed(file, { ...asked, names }));
            throw error;
          });
          showToast('success', 'Le relevé a été importé');
          await showChange(client);
          return banks;
        },
        ([bank]) => {
          if (bank) requestFocus(cardFocusName(bank.id));
          onImported();
        },
      ),
  };
}

function isOfKnownAccount(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'Statement_Of_Known_Account';
}

class FileTooLargeError extends Error {
  constructor(maxBytes: number) {
    super(`Ce fichier dépasse ${Math.floor(maxBytes / 1_000_000)}\u202fMo.`);
  }
}

function wordsOf(failure: unknown): string {
  return failure instanceof FileTooLargeError ? failure.message : failureText(failure);
}
