import type { SecondFactorRemoval } from '../../shared/contract/accounts.ts';
import { call } from '../api/call.ts';
import { Form } from '../design/Form.tsx';
import { textOf } from '../design/form.ts';
import { Folded } from '../profile/Folded.tsx';
import { CodeField, CurrentPasswordField } from '../sessions/credentials.tsx';
import { showToast } from '../toasts/toasts.ts';

export function RemovalForm({ onRemoved }: { onRemoved: () => void }) {
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
      <Form submit="Désactiver" look="danger" send={remove}>
        <CurrentPasswordField />
        <CodeField />
      </Form>
    </Folded>
  );
}
