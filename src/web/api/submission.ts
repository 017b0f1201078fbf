import { type FormEvent, useRef, useState } from 'react';
import { currentToken } from '../sessions/token.ts';
import { showToast } from '../toasts/toasts.ts';
import { failureText } from './failure.ts';

interface SubmissionOptions {
  /** A quieter second line under the server's words. */
  advice?: (failure: unknown) => string | null;
}

/** Sends a form or presses a button once at a time; a refusal is told in the server's words. */
export function useSubmission<Input = void>(
  send: (input: Input) => Promise<void>,
  { advice }: SubmissionOptions = {},
) {
  const [busy, setBusy] = useState(false);
  const under = useRef(false);
  async function submit(input: Input): Promise<void> {
    if (under.current) return;
    under.current = true;
    setBusy(true);
    const token = currentToken();
    try {
      await send(input);
    } catch (failure) {
      // The session ended on the way: the page that comes says so.
      if (token !== null && currentToken() === null) return;
      showToast('error', failureText(failure), advice?.(failure) ?? null);
    } finally {
      under.current = false;
      setBusy(false);
    }
  }
  return { busy, submit };
}

export interface FormOptions extends SubmissionOptions {
  /** What was typed stays when it went well. */
  keep?: boolean;
}

/** A form's `onSubmit` around that: hands the fields over, and empties them when it went well. */
export function useForm(send: (form: FormData) => Promise<void>, { keep, advice }: FormOptions) {
  const { busy, submit } = useSubmission<HTMLFormElement>(
    async (form) => {
      await send(new FormData(form));
      if (!keep) form.reset();
    },
    { advice },
  );
  return {
    busy,
    onSubmit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      void submit(event.currentTarget);
    },
  };
}
