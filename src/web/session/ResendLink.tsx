import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import { Button } from '../design/Button.tsx';
import { showToast } from '../design/toasts/toasts.ts';
import { meQuery } from './me.ts';

interface ResendLinkProps {
  /** The address that the account is to change to; null for the present one. */
  pending: string | null;
}

/** Mails the link again that confirms an address. */
export function ResendLink({ pending }: ResendLinkProps) {
  const client = useQueryClient();
  const { mutate, isPending, data } = useMutation({
    async mutationFn() {
      // It may have been confirmed or taken back meanwhile, on a phone for example: then nothing is sent.
      const me = await client.fetchQuery({ ...meQuery, staleTime: 0 });
      if (pending !== me.pendingEmail && pending !== null && pending !== me.email) return 'ended';
      if (me.emailConfirmed && me.pendingEmail === null) return 'confirmed';
      await call('POST', '/users/me/email/confirmation');
      return 'sent';
    },
    onSuccess: (end) =>
      end === 'ended'
        ? showToast('info', "Ce changement n'est plus en attente", 'Demandez-le de nouveau.')
        : showToast('success', notices[end]),
  });
  return (
    <>
      <Button busy={isPending} onClick={() => mutate()}>
        Renvoyer le lien
      </Button>
      {/* Also where a dialog lies over the notice. */}
      {data === 'sent' && <span> Lien envoyé.</span>}
    </>
  );
}

const notices = {
  sent: "Un lien vient d'être envoyé",
  confirmed: 'Votre adresse est déjà confirmée',
} as const;
