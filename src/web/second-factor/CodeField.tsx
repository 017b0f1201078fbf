import { Field } from '../design/Field.tsx';

/** The code of the moment, or a recovery code. */
export function CodeField({
  label = 'Code de vérification',
  hint = both,
}: Partial<CodeFieldProps>) {
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

interface CodeFieldProps {
  label: string;
  hint: string;
}

const both = 'Les 6 chiffres de votre application, ou un code de secours.';
