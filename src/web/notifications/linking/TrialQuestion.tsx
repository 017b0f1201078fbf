import { useState } from 'react';
import { Button } from '../../design/Button.tsx';
import { Callout } from '../../design/Callout.tsx';
import styles from './TrialQuestion.module.css';

interface TrialQuestionProps {
  /** What to look at when nothing arrived. */
  causes: string;
  busy: boolean;
  onSeen: () => void;
}

/** The chat accepted the trial and cannot say more: only the person knows whether it is there. */
export function TrialQuestion({ causes, busy, onSeen }: TrialQuestionProps) {
  const [isMissing, setMissing] = useState(false);
  return (
    <div role="status" className="stack">
      <p>{"L'essai est parti. L'avez-vous vu dans le canal\u202f?"}</p>
      <div className={styles.answers}>
        <Button look="primary" busy={busy} onClick={onSeen}>
          {"Je l'ai vu"}
        </Button>
        <Button onClick={() => setMissing(true)}>{"Rien n'est arrivé"}</Button>
      </div>
      {isMissing && <Callout look="warning">{causes}</Callout>}
    </div>
  );
}
