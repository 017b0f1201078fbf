import { call } from '../api/call.ts';
import { useSubmission } from '../api/submission.ts';
import { Button } from '../design/Button.tsx';
import { Callout } from '../design/Callout.tsx';
import { showToast } from '../toasts/toasts.ts';

interface AwaitedConfirmationProps {
  isConfirmed: boolean;
  pending: string | null;
}

/** A link that was mailed and not yet followed: which one, and how to get it again. */
export function AwaitedConfirmation({ isConfirmed, pending }: AwaitedConfirmationProps) {
  const { busy, submit } = useSubmission(async () => {
    await call('POST', '/users/me/email/confirmation');
    showToast('success', "Un lien vient d'être envoyé");
  });
  if (isConfirmed && pending === null) return null;
  return (
    <Callout
      look={pending === null ? 'warning' : 'quiet'}
      action={
        <Button busy={busy} onClick={() => submit()}>
          Renvoyer le lien
        </Button>
      }
    >
      {pending === null
        ? "Cette adresse n'est pas encore confirmée. Ouvrez le lien que vous avez reçu par email."
        : `Changement en attente\u202f: ouvrez le lien envoyé à ${pending}. D'ici là, rien ne change.`}
    </Callout>
  );
}
