import { Callout } from '../design/Callout.tsx';
import { failureText } from './failure.ts';

interface FailureCalloutProps {
  /** Null for none. */
  failure: unknown;
  /** What was refused, by JSON pointers; what the form says under its fields is told there alone. */
  refused?: readonly { path: string }[];
}

/** What a call failed with. Its place is always there, so that what comes is read aloud. */
export function FailureCallout({ failure, refused = [] }: FailureCalloutProps) {
  const isToldThere = refused.length > 0 && refused.every(({ path }) => path !== '/');
  return (
    <div role="alert">
      {failure !== null && !isToldThere && (
        <Callout variant="failure">{failureText(failure)}</Callout>
      )}
    </div>
  );
}
