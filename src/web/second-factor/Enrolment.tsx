import { useEffect, useRef } from 'react';
import type {
  RecoveryCodes,
  SecondFactorConfirmation,
  SecondFactorSecret,
} from '../../shared/contract/accounts.ts';
import { call } from '../api/call.ts';
import { useForm } from '../api/submission.ts';
import { chunk } from '../application/chunks.ts';
import { PartBoundary } from '../application/PartBoundary.tsx';
import { Button } from '../design/Button.tsx';
import { textOf } from '../design/form.ts';
import { CodeField } from '../sessions/credentials.tsx';
import styles from './SecondFactor.module.css';

const qrCode = chunk(async () => (await import('./QrCode.tsx')).QrCode);

interface EnrolmentProps {
  secret: SecondFactorSecret;
  onConfirmed: (recoveryCodes: string[]) => void;
  onCancel: () => void;
}

/** Hands the secret over to an application, and takes its first code as the proof. */
export function Enrolment({ secret, onConfirmed, onCancel }: EnrolmentProps) {
  const steps = useRef<HTMLParagraphElement>(null);
  useEffect(() => steps.current?.focus(), []);
  const { busy, onSubmit } = useForm(confirm, { keep: true });
  async function confirm(form: FormData) {
    const body: SecondFactorConfirmation = { otp: textOf(form, 'otp').trim() };
    const path = '/users/me/second-factor/confirmation';
    onConfirmed((await call<RecoveryCodes>('POST', path, { body })).recoveryCodes);
  }
  return (
    <>
      <p ref={steps} tabIndex={-1} className={styles.steps}>
        Lisez ce code avec votre application d'authentification, puis saisissez les 6 chiffres
        qu'elle affiche.
      </p>
      <div className={styles.code}>
        <PartBoundary onFailure={onCancel}>
          <qrCode.Part text={secret.uri} />
        </PartBoundary>
      </div>
      <p>
        Sans appareil photo, saisissez cette clé{'\u202f'}:{' '}
        <code className={styles.secret}>{secret.secret}</code>
      </p>
      <form onSubmit={onSubmit}>
        <CodeField label="Code affiché" hint="6 chiffres" />
        <div className={styles.actions}>
          <Button type="submit" look="primary" busy={busy}>
            Activer
          </Button>
          <Button onClick={onCancel}>Annuler</Button>
        </div>
      </form>
    </>
  );
}
