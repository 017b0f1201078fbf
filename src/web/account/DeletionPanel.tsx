import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { useLocation } from 'wouter';
import type { DeletionReceipt, DeletionRequest } from '../../shared/contract/deletions.ts';
import { call } from '../api/call.ts';
import { Button } from '../design/Button.tsx';
import { deletionQuestion } from '../design/DeleteButton.tsx';
import { useDialog } from '../design/DialogButton.tsx';
import { bodyOf } from '../design/Form.tsx';
import { Folded, Panel, Quiet } from '../design/Panel.tsx';
import { CodeField, CurrentPasswordField } from '../session/credentials.tsx';
import { forgetSession } from '../session/sign-out.ts';

/** Asks for the password, then once more, then leaves for the receipt. */
export function DeletionPanel({ asksCode }: { asksCode: boolean }) {
  const form = useRef<HTMLFormElement>(null);
  const { mutate, isPending } = useDeleteAccount();
  const { open, dialog } = useDialog(deletionQuestion, {
    explanation: "Votre compte et tout ce qu'il contient disparaissent.",
    onConfirm: () => {
      if (form.current) mutate(requestOf(form.current));
    },
  });
  return (
    <Panel title="Suppression du compte">
      <Quiet>
        Vos banques, vos notifications, vos sessions et votre compte sont effacés, et l'accès à
        Bridge et à Slack est retiré. Rien ne peut être récupéré ensuite.
      </Quiet>
      <Folded summary="Supprimer mon compte…">
        <form
          ref={form}
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            if (!isPending) open(event.nativeEvent.submitter);
          }}
        >
          <CurrentPasswordField />
          {asksCode && <CodeField />}
          <Button onFocus={deletionQuestion.prepare} type="submit" look="danger" busy={isPending}>
            Supprimer mon compte
          </Button>
        </form>
      </Folded>
      {dialog}
    </Panel>
  );
}

/** The receipt's page needs no session: it is reached before the session is forgotten. */
function useDeleteAccount() {
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: (body: DeletionRequest) =>
      call<DeletionReceipt>('POST', '/users/me/deletion', { body }),
    onSuccess: ({ receipt }) => {
      navigate(`/suppression#recu=${receipt}`, { replace: true });
      forgetSession();
    },
  });
}

function requestOf(form: HTMLFormElement): DeletionRequest {
  const { currentPassword, otp } = bodyOf<DeletionRequest>(form);
  const code = otp?.trim();
  return { currentPassword, ...(code && { otp: code }) };
}
