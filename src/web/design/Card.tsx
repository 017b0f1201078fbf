import { type ReactNode, useId } from 'react';
import styles from './Card.module.css';

interface CardProps {
  title: string;
  icons: ReactNode;
  children: ReactNode;
}

export function Card({ title, icons, children }: CardProps) {
  const id = useId();
  return (
    <li className={styles.card}>
      <article aria-labelledby={id}>
        <div className={styles.head}>
          <h3 id={id}>{title}</h3>
          <div className={styles.icons}>{icons}</div>
        </div>
        {children}
      </article>
    </li>
  );
}
