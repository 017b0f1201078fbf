import { useEffect, useId, useRef, useState } from 'react';
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
  const id = useId();
  const question = useRef<HTMLParagraphElement>(null);
  const [isMissing, setMissing] = useState(false);
  // It comes after a press on the form above: the answer to it is the next thing to do.
  useEffect(() => question.current?.focus(), []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a question with two answers is no set of fields.
    <div role="group" aria-labelledby={id} className="stack">
      <p id={id} ref={question} tabIndex={-1} className={styles.question}>
        {"L'essai est parti. L'avez-vous vu arriver\u202f?"}
      </p>
      <div className={styles.answers}>
        <Button variant="primary" busy={busy} onClick={onSeen}>
          {"Je l'ai vu"}
        </Button>
        <Button onClick={() => setMissing(true)}>{"Rien n'est arrivé"}</Button>
      </div>
      <div role="status">{isMissing && <Callout variant="warning">{causes}</Callout>}</div>
    </div>
  );
}
