import type { SecondFactorSecret, SecondFactorStart } from '../../shared/contract/accounts.ts';
import { call } from '../api/call.ts';
import { useForm } from '../api/submission.ts';
import { Button } from '../design/Button.tsx';
import { textOf } from '../design/form.ts';
import { PasswordField } from '../design/PasswordField.tsx';
import { Folded } from '../profile/Folded.tsx';

export function StartForm({ onSecret }: { onSecret: (secret: SecondFactorSecret) => void }) {
  const { busy, onSubmit } = useForm(start, { keep: true });
  async function start(form: FormData) {
    const body: SecondFactorStart = { currentPassword: textOf(form, 'currentPassword') };
    onSecret(await call<SecondFactorSecret>('POST', '/users/me/second-factor', { body }));
  }
  return (
    <Folded summary="Activer la validation">
      <form onSubmit={onSubmit}>
        <PasswordField
          label="Mot de passe actuel"
          name="currentPassword"
          autoComplete="current-password"
        />
        <Button type="submit" look="primary" busy={busy}>
          Continuer
        </Button>
      </form>
    </Folded>
  );
}
