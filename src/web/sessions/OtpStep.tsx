import { useEffect, useRef } from 'react';
import styles from '../application/Screen.module.css';
import { Button } from '../design/Button.tsx';
import { Field } from '../design/Field.tsx';
import { textOf } from '../design/form.ts';

interface OtpStepProps {
  busy: boolean;
  onCode: (code: string) => void;
  onBack: () => void;
}

/** After the password was right: the code of the moment, or one of those kept for a lost phone. */
export function OtpStep({ busy, onCode, onBack }: OtpStepProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  return (
    <>
      <h1>Validation en deux étapes</h1>
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          onCode(textOf(new FormData(event.currentTarget), 'otp').trim());
        }}
      >
        <Field
          label="Code de vérification"
          name="otp"
          required
          maxLength={64}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          hint="Les 6 chiffres de votre application, ou un code de secours."
        />
        <Button type="submit" look="primary" busy={busy}>
          Vérifier
        </Button>
        <Button onClick={onBack}>Revenir à la connexion</Button>
      </form>
      <p className={styles.other}>
        Téléphone et codes de secours perdus{'\u202f'}? L'exploitant de ce service peut vous aider.
      </p>
    </>
  );
}
