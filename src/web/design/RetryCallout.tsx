import { Button } from './Button.tsx';
import styles from './Callout.module.css';
import { Callout } from './Callout.tsx';

interface RetryCalloutProps {
  text: string;
  /** What is asked again. */
  query: { isFetching: boolean; refetch: () => unknown };
  /** Called first. */
  onRetry?: () => void;
  /** Lies over the foot of the window: what is on screen already must not move for it. */
  isFloating?: boolean;
}

/** Something could not be loaded: says what, and offers to ask again. */
export function RetryCallout({ text, query, onRetry, isFloating }: RetryCalloutProps) {
  return (
    <div role="alert" className={isFloating ? styles.floating : undefined}>
      <Callout
        variant="failure"
        action={
          <Button
            busy={query.isFetching}
            onClick={() => {
              onRetry?.();
              query.refetch();
            }}
          >
            Réessayer
          </Button>
        }
      >
        {text}
      </Callout>
    </div>
  );
}
