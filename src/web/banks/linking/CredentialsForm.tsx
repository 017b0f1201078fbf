import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BankItem, OfferedSource } from '../../../shared/contract/banks.ts';
import { useAttempt } from '../../api/attempt.ts';
import { call } from '../../api/call.ts';
import { FailureCallout } from '../../api/FailureCallout.tsx';
import { detailsOf } from '../../api/failure.ts';
import { buttonClass } from '../../design/Button.tsx';
import { Callout } from '../../design/Callout.tsx';
import { DeclaredField } from '../../design/DeclaredField.tsx';
import { Field } from '../../design/Field.tsx';
import { Form } from '../../design/Form.tsx';
import { NewTabLink } from '../../design/NewTabLink.tsx';
import { requestFocus } from '../../design/requested-focus.ts';
import { SheetSteps } from '../../design/Sheet.tsx';
import { showToast } from '../../design/toasts/toasts.ts';
import { cardFocusName } from '../bank-cards.ts';
import { offerKeys, useCachedBankData } from '../queries.ts';
import { showChange } from './changes.ts';

type DeclaredForm = NonNullable<Extract<OfferedSource['connect'], { kind: 'redirect' }>['access']>;

interface CredentialsFormProps {
  offer: OfferedSource;
  form: Pick<DeclaredForm, 'steps' | 'fields'>;
  /** The service's own page, where consents are renewed and banks added; null without one. */
  page: string | null;
  isNew: boolean;
  onLinked: () => void;
}

/** The steps and fields that a source declares, and one call that checks what was typed. */
export function CredentialsForm({
  offer,
  form: { steps, fields },
  page,
  isNew,
  onLinked,
}: CredentialsFormProps) {
  const client = useQueryClient();
  const linkedBefore = useCachedBankData().connections.map(({ id }) => id);
  const { busy, failure, attempt } = useAttempt();
  const refused = detailsOf(failure);
  function send(values: Record<string, string>) {
    return attempt(
      async () => {
        const path = `/banks/sources/${offer.source}/connections`;
        const body = {
          values: Object.fromEntries(fields.map(({ name }) => [name, values[name] ?? ''])),
        };
        const linked = await call<BankItem[]>('POST', path, { body });
        const added = linked.filter(({ id }) => !linkedBefore.includes(id));
        showToast('success', isNew ? linkedText(linked.length) : editedText(added.length));
        void client.invalidateQueries({ queryKey: offerKeys.sources });
        await showChange(client);
        return linked;
      },
      ([first]) => {
        if (isNew && first) requestFocus(cardFocusName(first.id));
        onLinked();
      },
    );
  }
  const isElsewhere = page !== null && (!isNew || offer.isLinked);
  return (
    <>
      {isElsewhere && <ServicePageLink name={offer.name} page={page} />}
      {(isNew || !isElsewhere) && <SheetSteps steps={steps} />}
      <Form<Record<string, string>>
        submit="Relier"
        variant={isElsewhere ? 'plain' : 'primary'}
        busy={busy}
        refused={refused}
        onSend={send}
      >
        {fields.map((field) =>
          field.file ? (
            <FileOrText key={field.name} field={field} accept={field.file} />
          ) : (
            <DeclaredField key={field.name} field={field} />
          ),
        )}
        <FailureCallout {...{ failure, refused }} />
      </Form>
    </>
  );
}

/** Credentials alone link no bank yet. */
function linkedText(count: number): string {
  if (count === 0) return 'Vos identifiants sont enregistrés';
  return count === 1 ? 'La banque est reliée' : `${count} banques sont reliées`;
}

/** Credentials of another bank than the edited one link that one. */
function editedText(added: number): string {
  if (added === 0) return 'La connexion a été mise à jour';
  return 'Ces identifiants ont relié une autre banque. Vérifiez celle que vous vouliez modifier.';
}

/** What is done at the service itself comes before other credentials. */
function ServicePageLink({ name, page }: { name: string; page: string }) {
  return (
    <>
      <p>
        Renouvelez un accès ou reliez une autre banque dans le tableau de bord de {name}. Le
        résultat apparaît ici de lui-même.
      </p>
      <NewTabLink href={page} className={buttonClass('primary')}>
        Ouvrir {name}
      </NewTabLink>
      <p className="note">Vous avez d'autres identifiants{'\u202f'}? Donnez-les ici.</p>
    </>
  );
}

interface FileOrTextProps {
  field: DeclaredForm['fields'][number];
  /** The ends of file names. */
  accept: string;
}

const longestFile = 9_000;

/** A value that is pasted, or read from a file that the person chooses. */
function FileOrText({ field, accept }: FileOrTextProps) {
  const [text, setText] = useState('');
  const [isTooLong, setTooLong] = useState(false);
  async function read(file: File | undefined) {
    if (!file) return;
    setTooLong(file.size > longestFile);
    if (file.size <= longestFile) setText(await file.text());
  }
  return (
    <>
      <Field
        label={`${field.label}, dans un fichier`}
        type="file"
        accept={accept}
        onChange={(event) => void read(event.currentTarget.files?.[0])}
      />
      <div role="alert">
        {isTooLong && (
          <Callout variant="failure">Ce fichier est trop long pour être une clé.</Callout>
        )}
      </div>
      <DeclaredField
        key={text}
        field={{ ...field, label: `${field.label}, collée` }}
        known={text}
      />
    </>
  );
}
