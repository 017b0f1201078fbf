import { type ReactNode, useId } from 'react';
import styles from './Card.module.css';

interface CardProps {
  title: string;
  /** What it is recognised by, before its title. */
  mark?: ReactNode;
  /** The card in one sentence, under its title. */
  sentence?: ReactNode;
  icons: ReactNode;
  children: ReactNode;
}

export function Card({ title, mark, sentence, icons, children }: CardProps) {
  const id = useId();
  return (
    <li className={`surface ${styles.card}`}>
      <article className="stack" aria-labelledby={id} tabIndex={-1}>
        <div className={styles.head}>
          {mark}
          <h3 id={id}>{title}</h3>
          <div className={styles.icons}>{icons}</div>
          {sentence && <p className={styles.sentence}>{sentence}</p>}
        </div>
        {children}
      </article>
    </li>
  );
}
