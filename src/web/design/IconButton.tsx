import type { ButtonHTMLAttributes } from 'react';
import { Icon } from './Icon.tsx';
import styles from './IconButton.module.css';
import { NewTabLink } from './NewTabLink.tsx';

interface IconProps {
  icon: Parameters<typeof Icon>[0]['name'];
  /** The tooltip. */
  title: string;
  /** What the button is about, read after the title: "Editer Banque du Port". */
  subject?: string;
}

interface IconButtonProps extends IconProps, ButtonHTMLAttributes<HTMLButtonElement> {
  title: string;
  busy?: boolean;
}

export function IconButton({ icon, title, subject, busy, onClick, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      {...iconButtonProps({ icon, title, subject })}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? undefined : onClick}
    />
  );
}

/** The same as a link that opens a new tab. */
export function IconNewTabLink({ href, ...face }: IconProps & { href: string }) {
  return <NewTabLink href={href} {...iconButtonProps(face)} />;
}

function iconButtonProps({ icon, title, subject }: IconProps) {
  return {
    className: styles.button,
    title,
    'aria-label': subject ? `${title} ${subject}` : title,
    children: <Icon name={icon} />,
  };
}
