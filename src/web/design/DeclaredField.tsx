import { Field } from './Field.tsx';
import { useReveal } from './PasswordField.tsx';

interface DeclaredFieldProps {
  /** As the API declares a field of a form that links a service. */
  field: {
    name: string;
    label: string;
    secret: boolean;
    pattern: string;
    help: string;
    /** Its text may be chosen as a file, and is as long as one. */
    file?: string;
  };
  /** What was typed before. */
  known?: string;
  /** Where it is another than that of its kind. */
  maxLength?: number;
}

/** A secret is typed like a password, without a browser's offer to keep it, and can be looked at. */
export function DeclaredField({ field, known = '', maxLength }: DeclaredFieldProps) {
  const { name, label, secret, pattern, help, file } = field;
  const hidden = useReveal();
  return (
    <Field
      {...{ name, label, pattern }}
      hint={help}
      title={help}
      {...(secret ? hidden : { type: 'text' })}
      defaultValue={known}
      required
      maxLength={maxLength ?? (file ? 9_000 : secret ? 2048 : 200)}
      autoComplete="off"
      autoCapitalize={secret ? 'none' : 'sentences'}
      spellCheck={false}
    />
  );
}
