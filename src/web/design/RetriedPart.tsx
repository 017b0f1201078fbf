import { type ReactNode, Suspense, useState } from 'react';
import { Boundary } from './Boundary.tsx';
import { Retry } from './Retry.tsx';

interface RetriedPartProps {
  /** What is said when it could not be fetched or drawn. */
  missing: string;
  waiting?: ReactNode;
  /** Draws the part: called again at each try, since a part that failed is another component then. */
  children: () => ReactNode;
}

/** A part that the page draws by itself: no press asks for it, so that a button must ask again. */
export function RetriedPart({ missing, waiting, children }: RetriedPartProps) {
  const [tries, setTries] = useState(0);
  const again = { isFetching: false, refetch: () => setTries(tries + 1) };
  return (
    <Boundary key={tries} fallback={<Retry text={missing} query={again} />}>
      <Suspense fallback={waiting}>{children()}</Suspense>
    </Boundary>
  );
}
