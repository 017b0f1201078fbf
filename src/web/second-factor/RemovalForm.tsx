import type { SecondFactorRemoval } from '../../shared/contract/accounts.ts';
import { call } from '../api/call.ts';
import { useForm } from '../api/submission.ts';
import { Button } from '../design/Button.tsx';
import { textOf } from '../design/form.ts';
import { PasswordField } from '../design/PasswordField.tsx';
import { Folded } from '../profile/Folded.tsx';
import { showToast } from '../toasts/toasts.ts';
import { CodeField } from './CodeField.tsx';

export function RemovalForm({ onRemoved }: { onRemoved: () => void }) {
  const { busy, onSubmit } = useForm(remove);
  async function remove(form: FormData) {
    const body: SecondFactorRemoval = {
      currentPassword: textOf(form, 'currentPassword'),
      otp: textOf(form, 'otp').trim(),
    };
    await call('POST', '/users/me/second-factor/removal', { body });
    showToast('success', 'La validation en deux étapes est désactivée');
    onRemoved();
  }
  return (
    <Folded summary="Désactiver la validation">
      <form onSubmit={onSubmit}>
        <PasswordField
          label="Mot de passe actuel"
          name="currentPassword"
          autoComplete="current-password"
        />
        <CodeField />
        <Button type="submit" look="danger" busy={busy}>
          Désactiver
        </Button>
      </form>
    </Folded>
  );
}
