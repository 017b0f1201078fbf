import { useCallback, useEffect, useRef, useState } from 'react';
import { call } from './call.ts';

export interface Reading<Answer> {
  /** The last answer, kept while it is asked for again; null before the first. */
  data: Answer | null;
  /** Of the last try; null when it went well. */
  failure: unknown;
  busy: boolean;
  again: () => void;
}

/** Reads one address for one page, and again when its tab is shown again. */
export function useReading<Answer>(path: string): Reading<Answer> {
  const [data, setData] = useState<Answer | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(true);
  const latest = useRef<AbortController>(null);

  const again = useCallback(() => {
    latest.current?.abort();
    const controller = new AbortController();
    latest.current = controller;
    // A later reading, or the end of the page, makes this one nobody's business.
    const settle = (then: () => void) => {
      if (controller.signal.aborted) return;
      setBusy(false);
      then();
    };
    setBusy(true);
    call<Answer>('GET', path, { signal: controller.signal }).then(
      (answer) =>
        settle(() => {
          setData(answer);
          setFailure(null);
        }),
      (reason) => settle(() => setFailure(reason)),
    );
  }, [path]);

  useEffect(() => {
    again();
    const shown = () => document.visibilityState === 'visible' && again();
    document.addEventListener('visibilitychange', shown);
    return () => {
      document.removeEventListener('visibilitychange', shown);
      latest.current?.abort();
    };
  }, [again]);

  return { data, failure, busy, again };
}
