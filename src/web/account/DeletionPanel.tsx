import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { DeletionReceipt, DeletionRequest } from '../../shared/contract/deletions.ts';
import { call } from '../api/call.ts';
import { detailsOf, isWrongCode } from '../api/failure.ts';
import { Button } from '../design/Button.tsx';
import { deletionDialog } from '../design/DeleteButton.tsx';
import { useDialog } from '../design/DialogButton.tsx';
import { Fields } from '../design/Form.tsx';
import { Panel, PanelDetails, PanelNote } from '../design/Panel.tsx';
import { CodeField, CurrentPasswordField } from '../session/credentials.tsx';
import { forgetSession } from '../session/sign-out.ts';

/** Asks for the password, then once more, then leaves for the receipt. */
export function DeletionPanel({ asksCode }: { asksCode: boolean }) {
  const request = useRef<DeletionRequest>(null);
  const { mutate, isPending, error } = useDeleteAccount();
  /** The second factor was set up meanwhile, on another device. */
  const [isSetUpSince, setIsSetUpSince] = useState(false);
  const { open, dialog } = useDialog(deletionDialog, {
    explanation: "Votre compte et tout ce qu'il contient disparaissent.",
    onConfirm: () => {
      if (request.current) mutate(request.current, { onError });
    },
  });
  function onError(failure: unknown) {
    if (isWrongCode(failure)) setIsSetUpSince(true);
  }
  return (
    <Panel title="Suppression du compte">
      <PanelNote>
        Vos banques, vos notifications, vos sessions et votre compte sont effacés, et l'accès à vos
        services bancaires et à vos messageries est retiré. Rien ne peut être récupéré ensuite.
      </PanelNote>
      <PanelDetails summary="Supprimer mon compte…">
        <Fields
          busy={isPending}
          refused={detailsOf(error)}
          onSend={(body: DeletionRequest, _form, button) => {
            request.current = requestOf(body);
            open(button);
          }}
        >
          <CurrentPasswordField />
          {(asksCode || isSetUpSince) && <CodeField />}
          <Button onFocus={deletionDialog.preload} type="submit" variant="danger" busy={isPending}>
            Supprimer mon compte
          </Button>
        </Fields>
      </PanelDetails>
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

function requestOf({ currentPassword, otp }: DeletionRequest): DeletionRequest {
  const code = otp?.trim();
  return { currentPassword, ...(code && { otp: code }) };
}
