import { type ReactNode, useId, useRef } from 'react';
import { useCachedBankData } from '../banks/queries.ts';
import { Icon } from '../design/Icon.tsx';
import { useRequestedFocus } from '../design/requested-focus.ts';
import { isComplete } from '../notifications/completeness.ts';
import { useCachedMessengers } from '../notifications/queries.ts';
import styles from './FirstSteps.module.css';
import { firstStepsFocus } from './first-steps.ts';

/** What is left to do before the first message, with the way to the next step. */
export function FirstSteps({ action }: { action: ReactNode }) {
  const panel = useRef<HTMLElement>(null);
  const title = useId();
  useRequestedFocus(firstStepsFocus, panel, 'nearest');
  const messengers = useCachedMessengers();
  const done = [
    useCachedBankData().connections.length > 0,
    messengers.some(({ connected }) => connected),
    messengers.some(isComplete),
  ];
  const next = done.indexOf(false);
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-labelledby={title}
      className={`surface ${styles.panel}`}
    >
      <h3 id={title}>Votre premier message en trois étapes</h3>
      <ol className={styles.steps}>
        {steps.map(([title, text], index) => (
          <li
            key={title}
            data-done={done[index]}
            aria-current={index === next ? 'step' : undefined}
          >
            <span className={styles.number} aria-hidden="true">
              {done[index] ? <Icon name="check" /> : index + 1}
            </span>
            <div>
              <strong>{title}</strong>
              {done[index] && <span className="unseen"> (fait)</span>}
              <p>{text}</p>
              {index === next && action}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

const steps = [
  ['Relier une banque', 'Vous y autorisez la lecture de vos comptes courants.'],
  ['Choisir une messagerie', 'Slack, Teams, email… Le message arrive là où vous lisez.'],
  ['Programmer un message', 'Une heure, un texte\u202f: il part tout seul.'],
] as const;
