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
  const [shown, setShown] = useState(false);
  return (
    <Field
      {...props}
      label={label}
      name={name}
      type={shown ? 'text' : 'password'}
      required
      maxLength={1024}
      autoCapitalize="none"
      spellCheck={false}
      after={
        <button
          type="button"
          className={styles.reveal}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        >
          Afficher<span className="unseen"> la saisie</span>
        </button>
      }
    />
  );
}
