import type { EmailChange } from '../../shared/contract/accounts.ts';
import type { Me } from '../../shared/contract/users.ts';
import { call } from '../api/call.ts';
import { useForm } from '../api/submission.ts';
import { Button } from '../design/Button.tsx';
import { Field } from '../design/Field.tsx';
import { textOf } from '../design/form.ts';
import { PasswordField } from '../design/PasswordField.tsx';
import { showToast } from '../toasts/toasts.ts';
import { AwaitedConfirmation } from './AwaitedConfirmation.tsx';
import { Folded } from './Folded.tsx';
import { Panel } from './Panel.tsx';

export function EmailPanel({ me, onChange }: { me: Me; onChange: () => void }) {
  const { busy, onSubmit } = useForm(change);
  async function change(form: FormData) {
    const body: EmailChange = {
      email: textOf(form, 'email').trim(),
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
        <form onSubmit={onSubmit}>
          <Field
            label="Nouvelle adresse email"
            name="email"
            type="email"
            required
            maxLength={254}
            autoComplete="email"
            hint="Elle remplace l'actuelle dès que vous ouvrez le lien qui y est envoyé."
          />
          <PasswordField
            label="Mot de passe actuel"
            name="currentPassword"
            autoComplete="current-password"
          />
          <Button type="submit" look="primary" busy={busy}>
            Changer d'adresse
          </Button>
        </form>
      </Folded>
    </Panel>
  );
}
