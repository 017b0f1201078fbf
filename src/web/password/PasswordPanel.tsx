import type { PasswordChange } from '../../shared/contract/accounts.ts';
import { call } from '../api/call.ts';
import { Form } from '../design/Form.tsx';
import { textOf } from '../design/form.ts';
import { Folded } from '../profile/Folded.tsx';
import { Panel, Quiet } from '../profile/Panel.tsx';
import { CurrentPasswordField, NewPasswordField } from '../sessions/credentials.tsx';
import { showToast } from '../toasts/toasts.ts';
import { passwordAdvice } from './advice.ts';

export function PasswordPanel() {
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
        <Form submit="Changer de mot de passe" send={change} advice={passwordAdvice}>
          <CurrentPasswordField />
          <NewPasswordField label="Nouveau mot de passe" />
        </Form>
      </Folded>
    </Panel>
  );
}
