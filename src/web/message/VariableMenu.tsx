import { type RefObject, useId } from 'react';
import { meaningOf } from './completion.ts';
import styles from './VariableMenu.module.css';
import { useVariableMenu } from './variable-menu.ts';

interface VariableMenuProps {
  textarea: RefObject<HTMLTextAreaElement | null>;
  /** As they are written, in braces. */
  variables: readonly string[];
  asked: number;
}

/** The list at the caret. The focus stays in the text, which names the option under way. */
export function VariableMenu({ textarea, variables, asked }: VariableMenuProps) {
  const id = useId();
  const { place, options, active, choose, setActive } = useVariableMenu({
    id,
    textarea,
    variables,
    asked,
  });
  return (
    <>
      <p role="status" className="unseen">
        {place && countWords(options.length)}
      </p>
      {place && options.length > 0 && (
        <div
          id={id}
          role="listbox"
          aria-label="Variables"
          className={styles.menu}
          style={{ top: place.top, left: `clamp(0px, ${place.left}px, 100% - min(20rem, 100%))` }}
        >
          {options.map((variable, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the text has the focus, and its keys choose.
            <div
              key={variable}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              className={styles.option}
              onMouseDown={(event) => event.preventDefault()}
              onMouseMove={() => setActive(index)}
              onClick={() => choose(variable)}
              ref={index === active ? reveal : undefined}
            >
              <code>{variable}</code>
              <span>{meaningOf(variable)}</span>
            </div>
          ))}
        </div>
      )}
    </>
  );
}

function reveal(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' });
}

function countWords(count: number): string {
  if (count === 0) return 'Aucune variable ne correspond.';
  const words = count === 1 ? '1 variable' : `${count} variables`;
  return `${words}. Flèches pour parcourir, Entrée pour insérer, Échap pour fermer.`;
}
