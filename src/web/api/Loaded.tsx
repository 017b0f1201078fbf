import type { ReactNode } from 'react';
import { Retry } from '../design/Retry.tsx';
import type { Reading } from './reading.ts';

interface LoadedProps<Answer> {
  reading: Reading<Answer>;
  /** What is said of a try that failed; an earlier answer stays below it. */
  failed: string;
  /** Stands there until the first answer. */
  waiting: ReactNode;
  children: (data: Answer) => ReactNode;
}

/** What was read, and how the reading fares. */
export function Loaded<Answer>({ reading, failed, waiting, children }: LoadedProps<Answer>) {
  const { data, failure, busy, again } = reading;
  return (
    <>
      {failure !== null && <Retry text={failed} busy={busy} onRetry={again} />}
      {data === null ? failure === null && waiting : children(data)}
    </>
  );
}
