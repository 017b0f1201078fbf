import { useState } from 'react';
import { takeFragment } from '../application/fragment.ts';
import { ForgottenForm } from './ForgottenForm.tsx';
import { ResetForm } from './ResetForm.tsx';

/** Asks for a link; opened by one, takes the new password. */
export function PasswordPage() {
  const [token] = useState(() => takeFragment('jeton'));
  return token === null ? <ForgottenForm /> : <ResetForm token={token} />;
}
