import { type ReactNode, Suspense, useState } from 'react';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { RetryCallout } from './RetryCallout.tsx';

interface RetryBoundaryProps {
  /** What is said when it could not be fetched or drawn. */
  missing: string;
  waiting?: ReactNode;
  /** Called again at each try, since a lazy component that failed is another one then. */
  children: () => ReactNode;
}

/** A lazy component that the page draws unasked: when it fails, a button must ask for it again. */
export function RetryBoundary({ missing, waiting, children }: RetryBoundaryProps) {
  const [tries, setTries] = useState(0);
  const again = { isFetching: false, refetch: () => setTries(tries + 1) };
  return (
    <ErrorBoundary key={tries} fallback={<RetryCallout text={missing} query={again} />}>
      <Suspense fallback={waiting}>{children()}</Suspense>
    </ErrorBoundary>
  );
}
