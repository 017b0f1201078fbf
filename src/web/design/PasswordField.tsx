import { useState } from 'react';
import styles from './Field.module.css';
import { Field } from './Field.tsx';

interface PasswordFieldProps {
  label?: string;
  name?: string;
  autoComplete: 'current-password' | 'new-password';
  hint?: string;
  minLength?: number;
}

export function PasswordField({
  label = 'Mot de passe',
  name = 'password',
  ...props
}: PasswordFieldProps) {
  const hidden = useReveal();
  return (
    <Field
      {...props}
      {...hidden}
      label={label}
      name={name}
      required
      maxLength={1024}
      autoCapitalize="none"
      spellCheck={false}
    />
  );
}

/** A field whose text is hidden until its button is pressed: its type, and that button for its end. */
export function useReveal() {
  const [shown, setShown] = useState(false);
  return {
    type: shown ? 'text' : 'password',
    after: (
      <button
        type="button"
        className={styles.reveal}
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
      >
        Afficher<span className="unseen"> la saisie</span>
      </button>
    ),
  };
}
