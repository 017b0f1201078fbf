import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BankItem, OfferedSource } from '../../../shared/contract/banks.ts';
import { call } from '../../api/call.ts';
import { detailsOf, failureText } from '../../api/failure.ts';
import { tellOtherTabs } from '../../browser/tabs.ts';
import { Callout } from '../../design/Callout.tsx';
import { DeclaredField } from '../../design/DeclaredField.tsx';
import { Form } from '../../design/Form.tsx';
import { SheetSteps } from '../../design/Sheet.tsx';
import { showToast } from '../../design/toasts/toasts.ts';
import { bankKeys } from '../queries.ts';

export type FormSource = OfferedSource & {
  connect: Extract<OfferedSource['connect'], { kind: 'form' }>;
};

interface LinkFormProps {
  offer: FormSource;
  isNew: boolean;
  onLinked: () => void;
}

/** The steps and fields that a source declares, and one call that checks what was typed. */
export function LinkForm({ offer, isNew, onLinked }: LinkFormProps) {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const { steps, fields, isDemonstration } = offer.connect;
  async function send(values: Record<string, string>) {
    setBusy(true);
    setFailure(null);
    try {
      await call<BankItem[]>('POST', `/banks/sources/${offer.source}/connections`, {
        body: { values },
      });
      await client.invalidateQueries({ queryKey: bankKeys.all });
      tellOtherTabs({ changed: bankKeys.all });
      showToast('success', isNew ? 'La banque a été ajoutée' : 'La connexion a été mise à jour');
      onLinked();
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  }
  return (
    <>
      {isDemonstration && (
        <Callout look="warning">Démonstration{'\u202f'}: n'entrez aucun vrai secret.</Callout>
      )}
      <SheetSteps steps={steps} />
      <Form<Record<string, string>>
        submit="Relier"
        busy={busy}
        refused={detailsOf(failure)}
        onSend={send}
      >
        {fields.map((field) => (
          <DeclaredField key={field.name} field={field} />
        ))}
        <div role="alert">
          {failure !== null && <Callout look="failure">{failureText(failure)}</Callout>}
        </div>
      </Form>
    </>
  );
}
