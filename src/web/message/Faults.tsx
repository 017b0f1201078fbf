import type { RefObject } from 'react';
import type { MessageFault } from '../../shared/contract/messages.ts';
import { Button } from '../design/Button.tsx';
import styles from './Faults.module.css';
import { insertText } from './insertion.ts';

interface FaultsProps {
  textarea: RefObject<HTMLTextAreaElement | null>;
  faults: readonly MessageFault[];
}

/** What keeps the text from being saved, each with the buttons that mend it. */
export function Faults({ textarea, faults }: FaultsProps) {
  const replace = (fault: MessageFault, suggestion: string) => {
    if (textarea.current) insertText(textarea.current, fault, suggestion);
  };
  return (
    <div role="status" className={styles.faults}>
      {faults.map((fault) => (
        <div key={fault.from}>
          <p>{fault.message}</p>
          {fault.suggestions.map((suggestion) => (
            <Button key={suggestion} onClick={() => replace(fault, suggestion)}>
              Écrire {suggestion}
            </Button>
          ))}
        </div>
      ))}
    </div>
  );
}
