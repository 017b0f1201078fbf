import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type {
  RecoveryCodes,
  SecondFactorConfirmation,
  SecondFactorSecret,
} from '../../shared/contract/accounts.ts';
import { call } from '../api/call.ts';
import { configuration } from '../api/configuration.ts';
import { detailsOf } from '../api/failure.ts';
import { rereadEverywhere } from '../api/reread.ts';
import { Button } from '../design/Button.tsx';
import { CopyButton } from '../design/CopyButton.tsx';
import { LazyBoundary } from '../design/ErrorBoundary.tsx';
import { Fields } from '../design/Form.tsx';
import { lazyComponent } from '../design/lazy-component.ts';
import { CodeField } from '../session/credentials.tsx';
import { meQuery } from '../session/me.ts';
import styles from './SecondFactor.module.css';

const qrCode = lazyComponent(
  () => import('../design/QrCode.tsx'),
  (file) => file.QrCode,
);

interface EnrolmentProps {
  secret: SecondFactorSecret;
  isOn: boolean;
  onConfirmed: (recoveryCodes: string[]) => void;
  /** It is on, and the answer with the recovery codes did not come. */
  onLost: () => void;
  onCancel: () => void;
}

/** Hands the secret over to an application, and takes its first code as the proof. */
export function Enrolment({ secret, isOn, onConfirmed, onLost, onCancel }: EnrolmentProps) {
  /** Without it the key is there to be typed. */
  const [drawn, setDrawn] = useState(true);
  const steps = useRef<HTMLParagraphElement>(null);
  useEffect(() => steps.current?.focus(), []);
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: SecondFactorConfirmation) =>
      call<RecoveryCodes>('POST', '/users/me/second-factor/confirmation', { body }),
    meta: { changed: [meQuery.queryKey] },
    // Without an answer, it may be on all the same.
    onError: () => rereadEverywhere(client, meQuery.queryKey),
    gcTime: 0,
  });
  const lost = useEffectEvent(onLost);
  useEffect(() => {
    if (isOn && error) lost();
  }, [isOn, error]);
  function confirm({ otp }: SecondFactorConfirmation) {
    mutate(
      { otp: otp.trim(), secret: secret.secret },
      { onSuccess: ({ recoveryCodes }) => onConfirmed(recoveryCodes) },
    );
  }
  return (
    <>
      <p ref={steps} tabIndex={-1} className={styles.steps}>
        {drawn ? 'Scannez ce code avec' : 'Saisissez cette clé dans'} votre application
        d'authentification, puis saisissez les 6 chiffres qu'elle affiche.
      </p>
      {drawn && (
        <div className={styles.code}>
          <LazyBoundary onFailure={() => setDrawn(false)}>
            <qrCode.Component title="Code QR de la clé" text={secret.uri} />
          </LazyBoundary>
        </div>
      )}
      <p>
        {drawn ? 'Sans appareil photo, saisissez cette clé' : 'Clé'}
        {'\u202f'}: <code className={styles.secret}>{secret.secret}</code>
      </p>
      {configuration.demoUrl && (
        <p className="note">
          Démonstration{'\u202f'}: les codes suivent son horloge. Une fois qu'elle a été avancée,
          ceux de votre téléphone ne sont plus valables.
        </p>
      )}
      <Fields busy={isPending} refused={detailsOf(error)} onSend={confirm}>
        <CodeField label="Code affiché" hint="6 chiffres" />
        <div className={styles.actions}>
          <Button onClick={onCancel}>Annuler</Button>
          <Button type="submit" variant="primary" busy={isPending}>
            Activer
          </Button>
        </div>
      </Fields>
    </>
  );
}

interface RecoveryCodeListProps {
  codes: string[];
  onKept: () => void;
}

/** The only time that these are shown. */
export function RecoveryCodeList({ codes, onKept }: RecoveryCodeListProps) {
  const intro = useRef<HTMLParagraphElement>(null);
  useEffect(() => intro.current?.focus(), []);
  return (
    <div className={styles.recovery} data-print="">
      <p ref={intro} tabIndex={-1} className={styles.steps}>
        <strong>La validation est active.</strong> Gardez ces codes de secours en lieu sûr
        {'\u202f'}: chacun remplace une fois le code de l'application si vous perdez votre
        téléphone. Ils ne seront plus affichés.
      </p>
      <ol className={styles.codes} aria-label="Codes de secours">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className={styles.actions}>
        <CopyButton text={codes.join('\n')} done="Les codes de secours sont copiés" />
        <Button onClick={() => print()}>Imprimer</Button>
        <Button variant="primary" onClick={onKept}>
          J'ai gardé ces codes
        </Button>
      </div>
    </div>
  );
}
