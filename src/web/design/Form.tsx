import type { ReactNode, Ref } from 'react';
import { Button, type Look } from './Button.tsx';

interface FormProps<Body> {
  /** What its button says. */
  submit: string;
  look?: Look;
  /** It was sent and is not answered yet: it is not sent again. */
  busy: boolean;
  /** Gets what the fields hold, by their names. */
  onSend: (body: Body, form: HTMLFormElement) => void;
  children: ReactNode;
  /** Under the button. */
  after?: ReactNode;
  ref?: Ref<HTMLFormElement>;
}

/** Fields over the one button that sends them. */
export function Form<Body>(props: FormProps<Body>) {
  const { submit, look = 'primary', busy, onSend, children, after, ref } = props;
  return (
    <form
      ref={ref}
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) onSend(bodyOf<Body>(event.currentTarget), event.currentTarget);
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

/** The caller names the type. Nothing checks it: the form must hold a field of each of its names. */
export function bodyOf<Body>(form: HTMLFormElement): Body {
  return Object.fromEntries(new FormData(form)) as Body;
}
