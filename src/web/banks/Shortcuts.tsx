import { anchorOf } from '../design/Section.tsx';
import styles from './Shortcuts.module.css';

interface ShortcutsProps {
  /** The titles of the page's sections. */
  sections: string[];
  /** The words to find banks by; null where there are too few to look for one. */
  filter: string | null;
  onFilter: (words: string) => void;
}

/** Leads from anywhere on a long page to its sections, and to a bank among many. */
export function Shortcuts({ sections, filter, onFilter }: ShortcutsProps) {
  return (
    <nav className={styles.bar} aria-label="Sur cette page">
      {sections.map((title) => (
        <a key={title} href={`#${anchorOf(title)}`}>
          {title}
        </a>
      ))}
      {filter !== null && (
        <input
          type="search"
          className="control"
          aria-label="Filtrer les banques et les comptes"
          placeholder="Filtrer"
          autoComplete="off"
          value={filter}
          onChange={({ target }) => onFilter(target.value)}
        />
      )}
    </nav>
  );
}
