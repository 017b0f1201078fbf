import styles from './Operations.module.css';

/** Numbers under their names. */
export function Figures({ figures }: { figures: readonly (readonly [string, string | number])[] }) {
  return (
    <dl className={styles.figures}>
      {figures.map(([name, figure]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
  );
}
