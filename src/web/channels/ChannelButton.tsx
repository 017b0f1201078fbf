import type { ButtonHTMLAttributes, Ref } from 'react';
import { Icon } from '../design/Icon.tsx';
import styles from './ChannelField.module.css';

interface ChannelButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** The field's id, from which its label's, fault's and list's are made. */
  id: string;
  open: boolean;
  fault: string | null;
  ref: Ref<HTMLButtonElement>;
}

/** Stays the same element before, while and after the list is open, so that it keeps the focus. */
export function ChannelButton({ id, open, fault, children, ...rest }: ChannelButtonProps) {
  return (
    <button
      {...rest}
      id={id}
      type="button"
      role="combobox"
      className={styles.value}
      aria-haspopup="dialog"
      aria-expanded={open}
      aria-controls={`${id}-popup`}
      aria-labelledby={`${id}-label ${id}`}
      aria-invalid={fault !== null}
      aria-describedby={fault ? `${id}-fault` : undefined}
    >
      <span>{children}</span>
      <Icon name="chevron" />
    </button>
  );
}
