import { type ReactNode, useState } from 'react';
import { LazyBoundary } from './ErrorBoundary.tsx';
import styles from './LazyDetails.module.css';

interface LazyDetailsProps {
  summary: ReactNode;
  /** Fetches the content ahead. */
  preload: () => void;
  /** Opened for the person each time this becomes another value that is true: something in it is next. */
  isNeeded?: boolean | number;
  /** Drawn once it is opened. */
  children: () => ReactNode;
}

/** A heading that opens what is fetched only then. */
export function LazyDetails({ summary, preload, isNeeded = false, children }: LazyDetailsProps) {
  const [open, setOpen] = useState(Boolean(isNeeded));
  const [known, setKnown] = useState(isNeeded);
  if (known !== isNeeded) {
    setKnown(isNeeded);
    if (isNeeded) setOpen(true);
  }
  return (
    <details
      className={styles.details}
      open={open}
      onPointerEnter={preload}
      onFocus={preload}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{summary}</summary>
      {open && (
        <LazyBoundary onFailure={() => setOpen(false)} waiting={<p role="status">Chargement…</p>}>
          {children()}
        </LazyBoundary>
      )}
    </details>
  );
}
