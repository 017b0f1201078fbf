import { Button } from './Button.tsx';
import { Callout } from './Callout.tsx';

interface RetryProps {
  text: string;
  busy: boolean;
  onRetry: () => void;
}

/** Something could not be loaded: says what, and offers to ask again. */
export function Retry({ text, busy, onRetry }: RetryProps) {
  return (
    <div role="alert">
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
