import { type RefObject, useId, useState } from 'react';
import type { Messenger } from '../../shared/contract/messengers.ts';
import { chunk } from '../application/chunks.ts';
import { PartBoundary } from '../application/PartBoundary.tsx';
import { Button } from '../design/Button.tsx';
import { FieldFault } from '../design/FieldFault.tsx';
import type { Values } from '../messengers/draft.ts';
import styles from './MessageField.module.css';

const tools = chunk(async () => (await import('./MessageTools.tsx')).MessageTools);

interface MessageFieldProps {
  textarea: RefObject<HTMLTextAreaElement | null>;
  messenger: Messenger;
  /** What is on screen. */
  values: Values;
  fault: string | null;
  onChange: (message: string) => void;
}

/** The text, and, from the first touch on, its variables and what they will say. */
export function MessageField({ textarea, messenger, values, fault, onChange }: MessageFieldProps) {
  const id = useId();
  const [opened, setOpened] = useState(false);
  const [asked, setAsked] = useState(0);
  function askForVariables() {
    textarea.current?.focus();
    setAsked((count) => count + 1);
  }
  return (
    <div className={styles.field}>
      <div className={styles.frame}>
        <label htmlFor={id}>Message</label>
        <textarea
          ref={textarea}
          id={id}
          rows={5}
          value={values.message}
          aria-invalid={fault !== null}
          aria-describedby={fault ? `${id}-fault` : undefined}
          onPointerEnter={tools.prepare}
          onFocus={() => setOpened(true)}
          onChange={(event) => onChange(event.target.value)}
        />
        <FieldFault id={`${id}-fault`} text={fault} />
        <Button onPointerEnter={tools.prepare} onClick={askForVariables}>
          Insérer une variable
        </Button>
      </div>
      {opened && (
        <div className={styles.tools}>
          <PartBoundary onFailure={() => setOpened(false)}>
            <tools.Part textarea={textarea} messenger={messenger} values={values} asked={asked} />
          </PartBoundary>
        </div>
      )}
    </div>
  );
}
