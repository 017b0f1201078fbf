import { Button } from './Button.tsx';
import styles from './Callout.module.css';
import { Callout } from './Callout.tsx';

interface RetryProps {
  text: string;
  /** What is asked again. */
  query: { isFetching: boolean; refetch: () => unknown };
  /** Lies over the foot of the window: what is on screen already must not move for it. */
  over?: boolean;
}

/** Something could not be loaded: says what, and offers to ask again. */
export function Retry({ text, query, over }: RetryProps) {
  return (
    <div role="alert" className={over ? styles.over : undefined}>
      <Callout
        variant="failure"
        action={
          <Button busy={query.isFetching} onClick={() => query.refetch()}>
            Réessayer
          </Button>
        }
      >
        {text}
      </Callout>
    </div>
  );
}
