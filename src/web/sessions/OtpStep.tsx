import { useEffect, useRef } from 'react';
import styles from '../application/Screen.module.css';
import { Button } from '../design/Button.tsx';
import { Form } from '../design/Form.tsx';
import { textOf } from '../design/form.ts';
import { CodeField } from './credentials.tsx';

interface OtpStepProps {
  onCode: (code: string) => Promise<void>;
  onBack: () => void;
}

/** After the password was right: the code of the moment, or one of those kept for a lost phone. */
export function OtpStep({ onCode, onBack }: OtpStepProps) {
  const form = useRef<HTMLFormElement>(null);
  function goBack() {
    // The focus would go with the button.
    form.current?.closest('main')?.focus();
    onBack();
  }
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  return (
    <>
      <h1>Validation en deux étapes</h1>
      <Form
        ref={form}
        submit="Vérifier"
        send={(fields) => onCode(textOf(fields, 'otp').trim())}
        keep
        after={<Button onClick={goBack}>Revenir à la connexion</Button>}
      >
        <CodeField />
      </Form>
      <p className={styles.other}>
        Téléphone et codes de secours perdus{'\u202f'}? L'exploitant de ce service peut vous aider.
      </p>
    </>
  );
}
