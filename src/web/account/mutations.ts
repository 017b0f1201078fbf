import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type {
  EmailChange,
  PasswordChange,
  RecoveryCodes,
  SecondFactorConfirmation,
  SecondFactorRemoval,
  SecondFactorSecret,
  SecondFactorStart,
} from '../../shared/contract/accounts.ts';
import type { DeletionReceipt, DeletionRequest } from '../../shared/contract/deletions.ts';
import type { NameChange } from '../../shared/contract/users.ts';
import { answer, call } from '../api/call.ts';
import { ApiError } from '../api/failure.ts';
import { showToast } from '../design/toasts/toasts.ts';
import { meQuery } from '../session/me.ts';
import { forgetSession } from '../session/sign-out.ts';
import { openSessionsQuery } from './queries.ts';

export function useChangeNames() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: NameChange) => call('PATCH', '/users/me', { body }),
    onSuccess: () => {
      showToast('success', 'Votre nom a été enregistré');
      client.invalidateQueries(meQuery);
    },
  });
}

export function useChangeEmail() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: EmailChange) => call('PUT', '/users/me/email', { body }),
    onSuccess: () => {
      showToast('success', 'Un lien vient de partir vers la nouvelle adresse');
      client.invalidateQueries(meQuery);
    },
  });
}

export function useResendConfirmation() {
  return useMutation({
    mutationFn: () => call('POST', '/users/me/email/confirmation'),
    onSuccess: () => showToast('success', "Un lien vient d'être envoyé"),
  });
}

export function useChangePassword() {
  return useMutation({
    mutationFn: (body: PasswordChange) => call('PUT', '/users/me/password', { body }),
    meta: { advice: passwordAdvice },
    onSuccess: () =>
      showToast(
        'success',
        'Votre mot de passe a été changé',
        'Vos autres sessions sont terminées.',
      ),
  });
}

/** The server has one refusal for two causes: both are named. */
function passwordAdvice(failure: unknown): string | null {
  if (!(failure instanceof ApiError) || failure.code !== 'Account_Password_Invalid') return null;
  return "Vérifiez l'actuel\u202f; le nouveau demande 12 caractères au moins et ne doit pas être un mot de passe courant.";
}

/** The secret is for an authenticator; the second factor is on once one of its codes came back. */
export function useStartSecondFactor() {
  return useMutation({
    mutationFn: (body: SecondFactorStart) =>
      call<SecondFactorSecret>('POST', '/users/me/second-factor', { body }),
    gcTime: 0,
  });
}

export function useConfirmSecondFactor() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: SecondFactorConfirmation) =>
      call<RecoveryCodes>('POST', '/users/me/second-factor/confirmation', { body }),
    onSuccess: () => void client.invalidateQueries(meQuery),
    gcTime: 0,
  });
}

export function useRemoveSecondFactor() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: SecondFactorRemoval) =>
      call('POST', '/users/me/second-factor/removal', { body }),
    onSuccess: () => {
      showToast('success', 'La validation en deux étapes est désactivée');
      client.invalidateQueries(meQuery);
    },
  });
}

export function useEndSession(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('DELETE', `/users/me/sessions/${id}`),
    onSuccess: () => {
      showToast('success', 'La session est terminée');
      client.invalidateQueries(openSessionsQuery);
    },
  });
}

/** Downloads the file of all data; its name is the server's. */
export function useExport() {
  return useMutation({
    mutationFn: async () => {
      const response = await answer('GET', '/users/me/export');
      const disposition = response.headers.get('content-disposition') ?? '';
      const name = /filename="([^"]+)"/.exec(disposition)?.[1];
      saveFile(await response.blob(), name ?? 'tirelire.json');
    },
  });
}

/** The address is needed until the browser has taken the file over, which it does not tell. */
function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** The receipt's page needs no session: it is reached before the session is forgotten. */
export function useDeleteAccount() {
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
