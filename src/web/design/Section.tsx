import { createContext, type ReactNode, type Ref, useContext, useId, useRef } from 'react';
import { useHeightRecorder, useRecordedHeights } from './recorded-heights.ts';
import styles from './Section.module.css';

/** Specification §3. */
export type LoadingState = 'Init' | 'Loading' | 'Loaded' | 'Error';

interface SectionProps {
  title: string;
  state: LoadingState;
  /** Stand at the end of the heading's line. */
  actions?: ReactNode;
  headingRef?: Ref<HTMLHeadingElement>;
  /** Where the page is wide enough, it stands beside the one card of the section before it. */
  isBeside?: boolean;
  /** More cards are about to come: what follows is shown once its place is known. */
  isPartial?: boolean;
  /** Not all of its cards are drawn: what is remembered of them stays. */
  isFiltered?: boolean;
  children: ReactNode;
}

/** The title of the section around: by it the heights of its cards are remembered. */
const Title = createContext('');

export function Section({ title, state, actions, headingRef, children, ...is }: SectionProps) {
  const id = useId();
  const box = useRef<HTMLElement>(null);
  useHeightRecorder(title, () =>
    state === 'Loaded' && !is.isFiltered
      ? (box.current?.querySelectorAll(`.${styles.cards} > li`) ?? null)
      : null,
  );
  return (
    <Title value={title}>
      <section
        ref={box}
        className={`stack ${styles.section}`}
        aria-labelledby={id}
        aria-busy={state === 'Loading'}
        data-state={state}
        data-beside={is.isBeside}
        data-partial={is.isPartial}
      >
        <div className={styles.head} id={anchorOf(title)}>
          <h2 id={id} ref={headingRef} tabIndex={-1}>
            {title}
          </h2>
          {actions && <div className={styles.actions}>{actions}</div>}
        </div>
        {children}
      </section>
    </Title>
  );
}

/** What a link on the page leads to, to see the head of a section. */
export function anchorOf(title: string): string {
  return `section-${title.toLowerCase()}`;
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

/**
 * Stands where cards will be, as high as they were the last time, so that nothing jumps when they come.
 */
export function CardSkeleton({ label }: { label?: string }) {
  return <Skeleton label={label} heights={useRecordedHeights(useContext(Title))} />;
}

/** Of one part of a section, as high as most are; what follows it waits for its height. */
export function PartSkeleton() {
  return <Skeleton heights={null} />;
}

interface SkeletonProps {
  label?: string | undefined;
  heights: number[] | null;
}

function Skeleton({ label, heights }: SkeletonProps) {
  return (
    <>
      <p role="status" className="unseen">
        {label}
      </p>
      <div className={`stack ${styles.cards}`} data-known={heights !== null} aria-hidden="true">
        {(heights ?? [undefined]).map((height, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they have nothing else.
          <div key={index} className={`surface ${styles.skeleton}`} style={{ height }}>
            {Array.from({ length: bonesIn(height) }, (_, bone) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: nor have these.
              <span key={bone} className="bone" />
            ))}
          </div>
        ))}
      </div>
    </>
  );
}

/** Two in a row: as many as fill that height, in pixels. */
function bonesIn(height = 216): number {
  return Math.min(24, Math.max(2, 2 * Math.round((height - 60) / 50)));
}
