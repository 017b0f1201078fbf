import type { ReactNode, Ref } from 'react';
import { Button, type Look } from './Button.tsx';

interface FormProps {
  /** What its button says. */
  submit: string;
  look?: Look;
  /** It was sent and is not answered yet: it is not sent again. */
  busy: boolean;
  onSend: (fields: FormData, form: HTMLFormElement) => void;
  children: ReactNode;
  /** Under the button. */
  after?: ReactNode;
  ref?: Ref<HTMLFormElement>;
}

/** Fields over the one button that sends them. */
export function Form({ submit, look = 'primary', busy, onSend, children, after, ref }: FormProps) {
  return (
    <form
      ref={ref}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) onSend(new FormData(event.currentTarget), event.currentTarget);
      }}
    >
      {children}
      <Button type="submit" look={look} busy={busy}>
        {submit}
      </Button>
      {after}
    </form>
  );
}

/** The text of a form's field; a missing one is empty. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
