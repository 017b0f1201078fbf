import { type ReactNode, useState } from 'react';
import { LazyBoundary } from './ErrorBoundary.tsx';
import styles from './LazyDetails.module.css';

interface LazyDetailsProps {
  summary: ReactNode;
  /** Fetches the content ahead. */
  preload: () => void;
  /** Opened for the person each time this becomes another value that is true: something in it is next. */
  isNeeded?: boolean | number;
  /** What is typed in it stays when it is closed. */
  keeps?: boolean;
  /** Drawn once it is opened. */
  children: (open: boolean) => ReactNode;
}

/** A heading that opens what is fetched only then. */
export function LazyDetails(props: LazyDetailsProps) {
  const { summary, preload, isNeeded = false, keeps = false, children } = props;
  const [open, setOpen] = useState(Boolean(isNeeded));
  const [known, setKnown] = useState(isNeeded);
  if (known !== isNeeded) {
    setKnown(isNeeded);
    if (isNeeded) setOpen(true);
  }
  const [drawn, setDrawn] = useState(open);
  if (open && !drawn) setDrawn(true);
  function close() {
    setOpen(false);
    setDrawn(false);
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
      {(open || (keeps && drawn)) && (
        <LazyBoundary onFailure={close} waiting={<p role="status">Chargement…</p>}>
          {children(open)}
        </LazyBoundary>
      )}
    </details>
  );
}
