import { useState } from 'react';

/**
 * What a query answered last, under whatever key: while the answer to a new key is awaited, and after
 * it failed, which is where TanStack Query's `keepPreviousData` ends.
 */
export function useLastKnown<Answer extends object>(answer: Answer | undefined) {
  const [known, setKnown] = useState(answer);
  if (answer && answer !== known) setKnown(answer);
  return answer ?? known;
}
