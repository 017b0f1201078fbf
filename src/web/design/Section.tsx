import { type ReactNode, type Ref, useId } from 'react';
import styles from './Section.module.css';

/** Specification §3. */
export type LoadingState = 'Init' | 'Loading' | 'Loaded' | 'Error';

interface SectionProps {
  title: string;
  state: LoadingState;
  /** Stand at the end of the heading's line. */
  actions?: ReactNode;
  headingRef?: Ref<HTMLHeadingElement>;
  children: ReactNode;
}

export function Section({ title, state, actions, headingRef, children }: SectionProps) {
  const id = useId();
  return (
    <section
      className={`stack ${styles.section}`}
      aria-labelledby={id}
      aria-busy={state === 'Loading'}
      data-state={state}
    >
      <div className={styles.head}>
        <h2 id={id} ref={headingRef} tabIndex={-1}>
          {title}
        </h2>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
      {children}
    </section>
  );
}

interface CardsProps {
  /** Neighbours are as high as each other. */
  even?: boolean;
  /** What a link on the page leads to. */
  id?: string;
  children: ReactNode;
}

export function Cards({ even = false, ...list }: CardsProps) {
  return <ul className={`stack ${styles.cards}`} data-even={even} {...list} />;
}

/** Stands where cards will be, so that nothing jumps when they come. */
export function CardSkeleton({ label }: { label?: string }) {
  return (
    <>
      <p role="status" className="unseen">
        {label}
      </p>
      <div className={`stack ${styles.cards}`} aria-hidden="true">
        <div className={`surface ${styles.skeleton}`}>
          <span className="bone" />
          <span className="bone" />
          <span className="bone" />
          <span className="bone" />
          <span className="bone" />
          <span className="bone" />
        </div>
      </div>
    </>
  );
}
