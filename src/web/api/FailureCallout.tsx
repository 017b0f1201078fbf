import { Callout } from '../design/Callout.tsx';
import { failureText } from './failure.ts';

/** What a call failed with; nothing for null. Its place is always there, so that what comes is read aloud. */
export function FailureCallout({ failure }: { failure: unknown }) {
  return (
    <div role="alert">
      {failure !== null && <Callout variant="failure">{failureText(failure)}</Callout>}
    </div>
  );
}
