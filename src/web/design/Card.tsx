import { type ReactNode, useId, useRef } from 'react';
import styles from './Card.module.css';
import { useRequestedFocus } from './requested-focus.ts';

interface CardProps {
  title: string;
  /** What it is recognised by, before its title. */
  avatar?: ReactNode;
  /** The card in one sentence, under its title. */
  sentence?: ReactNode;
  /** What it comes to: stands at the end of its title. */
  figure?: ReactNode;
  icons: ReactNode;
  /** By which `requestFocus` finds it. */
  name?: string;
  /** Stands beside it, where the page is wide enough: the card then has its row to itself. */
  beside?: ReactNode;
  children: ReactNode;
}

export function Card({
  title,
  avatar,
  sentence,
  figure,
  icons,
  name,
  beside,
  children,
}: CardProps) {
  const id = useId();
  const article = useRef<HTMLElement>(null);
  useRequestedFocus(name, article);
  // The address of a mailbox is better broken there than anywhere in it.
  const at = title.indexOf('@') + 1;
  return (
    <li className={styles.row} data-wide={beside !== undefined}>
      <div className={`surface ${styles.card}`}>
        <article ref={article} className="stack" aria-labelledby={id} tabIndex={-1}>
          <div className={styles.head}>
            {avatar}
            <div className={styles.title}>
              <h3 id={id}>
                {title.slice(0, at)}
                <wbr />
                {title.slice(at)}
              </h3>
              {figure}
            </div>
            <div className={styles.icons}>{icons}</div>
            {sentence && <p className={styles.sentence}>{sentence}</p>}
          </div>
          {children}
        </article>
      </div>
      {beside}
    </li>
  );
}
