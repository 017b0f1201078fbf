import { useRef, useState } from 'react';
import type { DeletionRequest } from '../../shared/contract/deletions.ts';
import { PartBoundary } from '../design/Boundary.tsx';
import { Button } from '../design/Button.tsx';
import { chunk } from '../design/chunk.ts';
import { textOf } from '../design/Form.tsx';
import { Folded, Panel, Quiet } from '../design/Panel.tsx';
import { CodeField, CurrentPasswordField } from '../session/credentials.tsx';
import { useDeleteAccount } from './mutations.ts';

const question = chunk(async () => (await import('../design/Confirmation.tsx')).DeletionQuestion);

/** Asks for the password, then once more, then leaves for the receipt. */
export function DeletionPanel({ asksCode }: { asksCode: boolean }) {
  const [asking, setAsking] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const { mutate, isPending } = useDeleteAccount();
  function confirm() {
    setAsking(false);
    if (form.current) mutate(requestOf(new FormData(form.current)));
  }
  return (
    <Panel title="Suppression du compte">
      <Quiet>
        Vos banques, vos notifications, vos sessions et votre compte sont effacés, et l'accès à
        Bridge et à Slack est retiré. Rien ne peut être récupéré ensuite.
      </Quiet>
      <Folded summary="Supprimer mon compte…">
        <form
          ref={form}
          onSubmit={(event) => {
            event.preventDefault();
            if (!isPending) setAsking(true);
          }}
        >
          <CurrentPasswordField />
          {asksCode && <CodeField />}
          <Button
            ref={button}
            onFocus={question.prepare}
            type="submit"
            look="danger"
            busy={isPending}
          >
            Supprimer mon compte
          </Button>
        </form>
      </Folded>
      {asking && (
        <PartBoundary onFailure={() => setAsking(false)}>
          <question.Part
            explanation="Votre compte et tout ce qu'il contient disparaissent."
            opener={button}
            onCancel={() => setAsking(false)}
            onConfirm={confirm}
          />
        </PartBoundary>
      )}
    </Panel>
  );
}

function requestOf(form: FormData): DeletionRequest {
  const otp = textOf(form, 'otp').trim();
  return { currentPassword: textOf(form, 'currentPassword'), ...(otp && { otp }) };
}
