import { Field } from '../design/Field.tsx';
import { PasswordField } from '../design/PasswordField.tsx';

/** The fields of a sign-in, the same in every form. */
interface CredentialProps {
  label?: string;
  hint?: string;
}

interface EmailFieldProps extends CredentialProps {
  autoComplete: 'email' | 'username';
  defaultValue?: string | undefined;
}

export function EmailField({ label = 'Email', ...props }: EmailFieldProps) {
  return (
    <Field
      {...props}
      {...(props.autoComplete === 'email' && wholeAddress)}
      label={label}
      name="email"
      type="email"
      required
      maxLength={254}
    />
  );
}

/** A new one; that of an account may be older than this rule. */
const wholeAddress = {
  pattern: '[^@]+@[^@]+\\.[^@.]{2,}',
  title: 'Une seule adresse entière, sans accent ni espace, comme nom@exemple.fr',
};

/** Asked for again before what only the account's owner may do. */
export function CurrentPasswordField() {
  return (
    <PasswordField
      label="Mot de passe actuel"
      name="currentPassword"
      autoComplete="current-password"
    />
  );
}

export function NewPasswordField({ label }: CredentialProps) {
  return (
    <PasswordField
      label={label}
      autoComplete="new-password"
      minLength={12}
      hint="12 caractères au moins, pas un mot de passe courant"
    />
  );
}

/** The code of the moment, or a recovery code. */
export function CodeField({
  label = 'Code de vérification',
  hint = 'Les 6 chiffres de votre application, ou un code de secours.',
}: CredentialProps) {
  return (
    <Field
      label={label}
      name="otp"
      required
      maxLength={64}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      hint={hint}
    />
  );
}
