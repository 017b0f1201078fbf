import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import styles from './Button.module.css';
import { Icon } from './Icon.tsx';

export type Variant = 'primary' | 'secondary' | 'plain' | 'danger' | 'text';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: Variant;
  /** At work: shows the waiting mark and ignores presses, but keeps its focus and its name. */
  busy?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

export function Button({ variant = 'plain', busy = false, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass(variant)}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={(event) => {
        // A double click is one press, however fast the first was answered.
        if (busy || event.detail > 1) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {busy && <span className={styles.waiting} aria-hidden="true" data-waiting="" />}
      {buttonContent(variant, rest.children)}
    </button>
  );
}

/** What adds something says so with a plus, in the secondary colour. */
export function buttonContent(variant: Variant, children: ReactNode): ReactNode {
  return (
    <>
      {variant === 'secondary' && <Icon name="plus" />}
      {children}
    </>
  );
}

export function buttonClass(variant: Variant): string {
  return `${styles.button} ${styles[variant]}`;
}
