import { Callout } from '../design/Callout.tsx';
import { failureText } from './failure.ts';

interface FailureCalloutProps {
  /** Null for none. */
  failure: unknown;
  /** What the form says under its fields; the failure is told there then. */
  refused?: readonly unknown[];
}

/** What a call failed with. Its place is always there, so that what comes is read aloud. */
export function FailureCallout({ failure, refused = [] }: FailureCalloutProps) {
  return (
    <div role="alert">
      {failure !== null && refused.length === 0 && (
        <Callout variant="failure">{failureText(failure)}</Callout>
      )}
    </div>
  );
}
