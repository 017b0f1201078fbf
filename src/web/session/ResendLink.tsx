import { useMutation } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import { Button } from '../design/Button.tsx';

/** Mails the link again that confirms the address of the account, or the one it is to change to. */
export function ResendLink() {
  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: () => call('POST', '/users/me/email/confirmation'),
    meta: { done: "Un lien vient d'être envoyé" },
  });
  return (
    <>
      <Button busy={isPending} onClick={() => mutate()}>
        Renvoyer le lien
      </Button>
      {/* Also where a dialog lies over the notice. */}
      {isSuccess && <span> Lien envoyé.</span>}
    </>
  );
}
