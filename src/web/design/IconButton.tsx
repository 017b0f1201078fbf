import type { ButtonHTMLAttributes, Ref } from 'react';
import { Icon } from './Icon.tsx';
import styles from './IconButton.module.css';

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  icon: Parameters<typeof Icon>[0]['name'];
  /** The tooltip. */
  title: string;
  /** What the button is about, read after the title: "Editer Banque du Port". */
  subject?: string;
  busy?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

export function IconButton({ icon, title, subject, busy, onClick, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={styles.button}
      title={title}
      aria-label={subject ? `${title} ${subject}` : title}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? undefined : onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
