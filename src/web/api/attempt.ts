import { useEffect, useRef, useState } from 'react';
import { showFailure } from './failure.ts';
import { currentToken } from './token.ts';

/**
 * One call at a time, a second one being left out: whether it is under way, and what it failed with; null
 * for no failure. Once what asked for it is closed, nothing more is done with its answer, and a failure is
 * a notice.
 */
export function useAttempt() {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const isRunning = useRef(false);
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  async function attempt<Answer>(
    work: () => Promise<Answer>,
    onDone?: (answer: Answer) => void,
  ): Promise<void> {
    if (isRunning.current) return;
    isRunning.current = true;
    const token = currentToken();
    setBusy(true);
    setFailure(null);
    try {
      const answer = await work();
      if (isOpen.current) onDone?.(answer);
    } catch (error) {
      if (isOpen.current) setFailure(error);
      else if (currentToken() === token) showFailure(error);
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  }
  return { busy, failure, attempt };
}
