import type { EmailChange } from '../../shared/contract/accounts.ts';
import type { Me } from '../../shared/contract/users.ts';
import { call } from '../api/call.ts';
import { Form } from '../design/Form.tsx';
import { textOf } from '../design/form.ts';
import { CurrentPasswordField, EmailField } from '../sessions/credentials.tsx';
import { showToast } from '../toasts/toasts.ts';
import { AwaitedConfirmation } from './AwaitedConfirmation.tsx';
import { Folded } from './Folded.tsx';
import { Panel } from './Panel.tsx';

export function EmailPanel({ me, onChange }: { me: Me; onChange: () => void }) {
  async function change(form: FormData) {
    const body: EmailChange = {
      email: textOf(form, 'email'),
      currentPassword: textOf(form, 'currentPassword'),
    };
    await call('PUT', '/users/me/email', { body });
    showToast('success', 'Un lien vient de partir vers la nouvelle adresse');
    onChange();
  }
  return (
    <Panel title="Adresse email">
      <p>
        <strong>{me.email}</strong>
      </p>
      <AwaitedConfirmation isConfirmed={me.emailConfirmed} pending={me.pendingEmail} />
      <Folded summary="Changer d'adresse">
        <Form submit="Changer d'adresse" send={change}>
          <EmailField
            label="Nouvelle adresse email"
            autoComplete="email"
            hint="Elle remplace l'actuelle dès que vous ouvrez le lien qui y est envoyé."
          />
          <CurrentPasswordField />
        </Form>
      </Folded>
    </Panel>
  );
}
