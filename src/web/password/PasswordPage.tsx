import { useSecretFragment } from '../application/fragment.ts';
import { ForgottenForm } from './ForgottenForm.tsx';
import { ResetForm } from './ResetForm.tsx';

/** Asks for a link; opened by one, takes the new password. */
export function PasswordPage() {
  const { value: token, opened } = useSecretFragment('jeton');
  return token === null ? <ForgottenForm /> : <ResetForm key={opened} token={token} />;
}
