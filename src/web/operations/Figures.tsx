import styles from './Operations.module.css';
import { countWords } from './words.ts';

/** Numbers under their names. */
export function Figures({ figures }: { figures: readonly (readonly [string, string | number])[] }) {
  return (
    <dl className={styles.figures}>
      {figures.map(([name, figure]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{typeof figure === 'number' ? countWords(figure) : figure}</dd>
        </div>
      ))}
    </dl>
  );
}
