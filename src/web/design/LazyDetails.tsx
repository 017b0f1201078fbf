import { type ReactNode, useState } from 'react';
import { PartBoundary } from './Boundary.tsx';
import styles from './LazyDetails.module.css';

interface LazyDetailsProps {
  summary: ReactNode;
  /** Fetches the content ahead. */
  prepare: () => void;
  /** Opened for the person each time this becomes another value that is true: something in it is next. */
  isNeeded?: boolean | number;
  /** Drawn once it is opened. */
  children: () => ReactNode;
}

/** A heading that opens what is fetched only then. */
export function LazyDetails({ summary, prepare, isNeeded = false, children }: LazyDetailsProps) {
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
      onPointerEnter={prepare}
      onFocus={prepare}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{summary}</summary>
      {open && (
        <PartBoundary onFailure={() => setOpen(false)} waiting={<p role="status">Chargement…</p>}>
          {children()}
        </PartBoundary>
      )}
    </details>
  );
}
