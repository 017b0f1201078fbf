import { type ReactNode, useId } from 'react';
import styles from './Card.module.css';

interface CardProps {
  title: string;
  /** What it is recognised by, before its title. */
  mark?: ReactNode;
  /** The card in one sentence, under its title. */
  sentence?: ReactNode;
  /** What it comes to: stands at the end of its title. */
  figure?: ReactNode;
  icons: ReactNode;
  children: ReactNode;
}

export function Card({ title, mark, sentence, figure, icons, children }: CardProps) {
  const id = useId();
  return (
    <li className={`surface ${styles.card}`}>
      <article className="stack" aria-labelledby={id} tabIndex={-1}>
        <div className={styles.head}>
          {mark}
          <div className={styles.title}>
            <h3 id={id}>{title}</h3>
            {figure}
          </div>
          <div className={styles.icons}>{icons}</div>
          {sentence && <p className={styles.sentence}>{sentence}</p>}
        </div>
        {children}
      </article>
    </li>
  );
}
