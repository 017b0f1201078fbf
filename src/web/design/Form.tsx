import type { ReactNode, Ref } from 'react';
import { type FormOptions, useForm } from '../api/submission.ts';
import { Button, type Look } from './Button.tsx';

interface FormProps extends FormOptions {
  /** What its button says. */
  submit: string;
  look?: Look;
  send: (form: FormData) => Promise<void>;
  children: ReactNode;
  /** Under the button. */
  after?: ReactNode;
  ref?: Ref<HTMLFormElement>;
}

/** Fields over the one button that sends them. */
export function Form({
  submit,
  look = 'primary',
  send,
  children,
  after,
  ref,
  ...options
}: FormProps) {
  const { busy, onSubmit } = useForm(send, options);
  return (
    <form ref={ref} onSubmit={onSubmit}>
      {children}
      <Button type="submit" look={look} busy={busy}>
        {submit}
      </Button>
      {after}
    </form>
  );
}
