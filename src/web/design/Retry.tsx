import { Button } from './Button.tsx';
import styles from './Callout.module.css';
import { Callout } from './Callout.tsx';

interface RetryProps {
  text: string;
  busy: boolean;
  onRetry: () => void;
  /** Lies over the foot of the window: what is on screen already must not move for it. */
  over?: boolean;
}

/** Something could not be loaded: says what, and offers to ask again. */
export function Retry({ text, busy, onRetry, over = false }: RetryProps) {
  return (
    <div role="alert" className={over ? styles.over : undefined}>
      <Callout
        look="failure"
        action={
          <Button busy={busy} onClick={onRetry}>
            Réessayer
          </Button>
        }
      >
        {text}
      </Callout>
    </div>
  );
}
