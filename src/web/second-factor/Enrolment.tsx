import { useEffect, useRef, useState } from 'react';
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
  /** Without it the key is there to be typed. */
  const [drawn, setDrawn] = useState(true);
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
        {drawn ? 'Lisez ce code avec' : 'Saisissez cette clé dans'} votre application
        d'authentification, puis saisissez les 6 chiffres qu'elle affiche.
      </p>
      {drawn && (
        <div className={styles.code}>
          <PartBoundary onFailure={() => setDrawn(false)}>
            <qrCode.Part text={secret.uri} />
          </PartBoundary>
        </div>
      )}
      <p>
        {drawn ? 'Sans appareil photo, saisissez cette clé' : 'Clé'}
        {'\u202f'}: <code className={styles.secret}>{secret.secret}</code>
      </p>
      <form onSubmit={onSubmit}>
        <CodeField label="Code affiché" hint="6 chiffres" />
        <div className={styles.actions}>
          <Button onClick={onCancel}>Annuler</Button>
          <Button type="submit" look="primary" busy={busy}>
            Activer
          </Button>
        </div>
      </form>
    </>
  );
}
