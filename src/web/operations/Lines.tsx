import type { ReactNode } from 'react';
import { Quiet } from '../profile/Panel.tsx';
import styles from './Operations.module.css';

/** What somebody should look at, one under the other; without any, `none` says so. */
export function Lines({ none, children }: { none: string; children: ReactNode[] }) {
  if (children.length === 0) return <Quiet>{none}</Quiet>;
  return <ul className={styles.list}>{children}</ul>;
}
