import type { SecondFactorSecret, SecondFactorStart } from '../../shared/contract/accounts.ts';
import { call } from '../api/call.ts';
import { Form } from '../design/Form.tsx';
import { textOf } from '../design/form.ts';
import { Folded } from '../profile/Folded.tsx';
import { CurrentPasswordField } from '../sessions/credentials.tsx';

export function StartForm({ onSecret }: { onSecret: (secret: SecondFactorSecret) => void }) {
  async function start(form: FormData) {
    const body: SecondFactorStart = { currentPassword: textOf(form, 'currentPassword') };
    onSecret(await call<SecondFactorSecret>('POST', '/users/me/second-factor', { body }));
  }
  return (
    <Folded summary="Activer la validation">
      <Form submit="Continuer" send={start} keep>
        <CurrentPasswordField />
      </Form>
    </Folded>
  );
}
