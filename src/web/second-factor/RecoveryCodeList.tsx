import { useEffect, useRef } from 'react';
import { useSubmission } from '../api/submission.ts';
import { Button } from '../design/Button.tsx';
import { showToast } from '../toasts/toasts.ts';
import styles from './SecondFactor.module.css';

interface RecoveryCodeListProps {
  codes: string[];
  onKept: () => void;
}

/** The only time that these are shown. */
export function RecoveryCodeList({ codes, onKept }: RecoveryCodeListProps) {
  const intro = useRef<HTMLParagraphElement>(null);
  useEffect(() => intro.current?.focus(), []);
  const { busy, submit } = useSubmission(async () => {
    await navigator.clipboard.writeText(codes.join('\n'));
    showToast('success', 'Les codes de secours sont copiés');
  });
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
        {isSecureContext && (
          <Button busy={busy} onClick={() => submit()}>
            Copier
          </Button>
        )}
        <Button onClick={() => print()}>Imprimer</Button>
        <Button look="primary" onClick={onKept}>
          J'ai gardé ces codes
        </Button>
      </div>
    </div>
  );
}
