import type { PasswordChange } from '../../shared/contract/accounts.ts';
import { call } from '../api/call.ts';
import { useForm } from '../api/submission.ts';
import { Button } from '../design/Button.tsx';
import { textOf } from '../design/form.ts';
import { PasswordField } from '../design/PasswordField.tsx';
import { Folded } from '../profile/Folded.tsx';
import { Panel, Quiet } from '../profile/Panel.tsx';
import { showToast } from '../toasts/toasts.ts';
import { passwordAdvice } from './advice.ts';

export function PasswordPanel() {
  const { busy, onSubmit } = useForm(change, { advice: passwordAdvice });
  async function change(form: FormData) {
    const body: PasswordChange = {
      currentPassword: textOf(form, 'currentPassword'),
      password: textOf(form, 'password'),
    };
    await call('PUT', '/users/me/password', { body });
    showToast('success', 'Votre mot de passe a été changé', 'Vos autres sessions sont terminées.');
  }
  return (
    <Panel title="Mot de passe">
      <Quiet>Le changer déconnecte tous vos autres appareils.</Quiet>
      <Folded summary="Changer de mot de passe">
        <form onSubmit={onSubmit}>
          <PasswordField
            label="Mot de passe actuel"
            name="currentPassword"
            autoComplete="current-password"
          />
          <PasswordField
            label="Nouveau mot de passe"
            autoComplete="new-password"
            hint="12 caractères au moins"
          />
          <Button type="submit" look="primary" busy={busy}>
            Changer de mot de passe
          </Button>
        </form>
      </Folded>
    </Panel>
  );
}
