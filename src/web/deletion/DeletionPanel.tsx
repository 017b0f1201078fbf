import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { DeletionReceipt, DeletionRequest } from '../../shared/contract/deletions.ts';
import { call } from '../api/call.ts';
import { useSubmission } from '../api/submission.ts';
import { chunk } from '../application/chunks.ts';
import { PartBoundary } from '../application/PartBoundary.tsx';
import { Button } from '../design/Button.tsx';
import { textOf } from '../design/form.ts';
import { Folded } from '../profile/Folded.tsx';
import { Panel, Quiet } from '../profile/Panel.tsx';
import { CodeField, CurrentPasswordField } from '../sessions/credentials.tsx';
import { forgetSession } from '../sessions/sign-out.ts';

const question = chunk(async () => (await import('../design/Confirmation.tsx')).DeletionQuestion);

/** Asks for the password, then once more, then leaves for the receipt. */
export function DeletionPanel({ asksCode }: { asksCode: boolean }) {
  const [asking, setAsking] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const { busy, submit } = useDeletion();
  function confirm() {
    setAsking(false);
    if (form.current) void submit(requestOf(new FormData(form.current)));
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
            if (!busy) setAsking(true);
          }}
        >
          <CurrentPasswordField />
          {asksCode && <CodeField />}
          <Button ref={button} onFocus={question.prepare} type="submit" look="danger" busy={busy}>
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

/** The receipt's page is open to everybody: it is reached before the session is forgotten. */
function useDeletion() {
  const [, navigate] = useLocation();
  return useSubmission(async (body: DeletionRequest) => {
    const { receipt } = await call<DeletionReceipt>('POST', '/users/me/deletion', { body });
    navigate(`/suppression#recu=${receipt}`, { replace: true });
    forgetSession();
  });
}
