import {
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react';
import { type Completion, completionAt, filterVariables, meaningOf } from './completion.ts';
import { insertText, withSpaceBefore } from './insertion.ts';
import styles from './VariableMenu.module.css';

/** What the text tells the menu: the focus stays in the text, so its events come from there. */
export interface MenuHandle {
  onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void;
  onType(textarea: HTMLTextAreaElement): void;
  close(): void;
}

/** Ids of the open list and of its active option, for the text's ARIA attributes. */
export interface ActiveOption {
  list: string;
  option: string;
}

interface VariableMenuProps {
  ref: Ref<MenuHandle>;
  textarea: RefObject<HTMLTextAreaElement | null>;
  /** As they are written, in braces. */
  variables: readonly string[];
  /** How often the menu was asked for by its button. */
  asked: number;
  /** Null when there is no list. */
  onActive: (active: ActiveOption | null) => void;
}

/** The list at the caret: opens at `{{` and at the button's press, and follows what is typed. */
export function VariableMenu({ ref, textarea, variables, asked, onActive }: VariableMenuProps) {
  const id = useId();
  const { menu, options, active, setActive, show, choose, onKeyDown } = useMenu(
    textarea,
    variables,
  );
  const onType = (box: HTMLTextAreaElement) => show(completionAt(box.value, box.selectionEnd));
  useImperativeHandle(ref, () => ({ onKeyDown, onType, close: () => show(null) }));

  // What was typed or asked for while this file was loading opens the menu too.
  const onLoad = useEffectEvent(() => {
    const box = textarea.current;
    if (box && box === document.activeElement && isUnderWay(box)) onType(box);
  });
  const onAsk = useEffectEvent(() => {
    const box = textarea.current;
    if (!box) return;
    // Where the caret stands before the text was ever touched, the variable would come before all of it.
    if (asked === 1 && box.selectionEnd === 0)
      box.setSelectionRange(box.textLength, box.textLength);
    show({ from: box.selectionStart, to: box.selectionEnd, query: '' });
  });
  useEffect(() => onLoad(), []);
  useEffect(() => {
    if (asked > 0) onAsk();
  }, [asked]);

  const isOpen = menu !== null && options.length > 0;
  // Before the screen is drawn: the text names the option as soon as it is marked.
  useLayoutEffect(() => {
    onActive(isOpen ? { list: id, option: `${id}-${active}` } : null);
    return () => onActive(null);
  }, [isOpen, id, active, onActive]);

  return (
    <>
      <p role="status" className="unseen">
        {menu && countWords(options.length)}
      </p>
      {isOpen && (
        <div
          id={id}
          role="listbox"
          aria-label="Variables"
          className={styles.menu}
          style={{
            top: menu.position.top,
            left: `clamp(0px, ${menu.position.left}px, 100% - min(20rem, 100%))`,
          }}
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
              <span className="note">{meaningOf(variable)}</span>
            </div>
          ))}
        </div>
      )}
    </>
  );
}

interface Menu extends Completion {
  position: { left: number; top: number };
}

function useMenu(textarea: VariableMenuProps['textarea'], variables: readonly string[]) {
  const [menu, setMenu] = useState<Menu | null>(null);
  const [active, setActive] = useState(0);
  const query = menu?.query;
  const options = useMemo(
    () => (query === undefined ? [] : filterVariables(variables, query)),
    [variables, query],
  );
  function show(completion: Completion | null) {
    const box = textarea.current;
    setMenu(completion && box && { ...completion, position: caretPosition(box, completion.from) });
    setActive(0);
  }
  function choose(variable: string) {
    const box = textarea.current;
    if (menu && box) insertText(box, menu, withSpaceBefore(box.value, menu.from, variable));
    show(null);
  }
  function onKeyDown(event: KeyboardEvent) {
    const option = options[active];
    if (!menu || event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') show(null);
    else if (!option) return;
    else if (event.key === 'ArrowDown') setActive((active + 1) % options.length);
    else if (event.key === 'ArrowUp') setActive((active || options.length) - 1);
    else if (event.key === 'Enter' || event.key === 'Tab') choose(option);
    else return;
    event.preventDefault();
  }
  return { menu, options, active, setActive, show, choose, onKeyDown };
}

/** At the caret stands a variable that is begun and not closed. */
function isUnderWay({ value, selectionEnd }: HTMLTextAreaElement): boolean {
  return completionAt(value, selectionEnd)?.to === selectionEnd;
}

const copiedStyles = [
  ...['font', 'letter-spacing', 'line-height', 'text-indent', 'text-transform', 'word-spacing'],
  ...['padding', 'border', 'tab-size'],
];

/**
 * The foot of a letter of a textarea, in pixels from what holds the textarea: measured in an
 * invisible copy of its text, since a textarea does not tell where its letters stand.
 */
function caretPosition(textarea: HTMLTextAreaElement, position: number) {
  const style = getComputedStyle(textarea);
  const mirror = document.createElement('div');
  for (const name of copiedStyles) mirror.style.setProperty(name, style.getPropertyValue(name));
  Object.assign(mirror.style, {
    position: 'absolute',
    visibility: 'hidden',
    boxSizing: 'border-box',
    width: `${textarea.clientWidth + 2}px`,
    whiteSpace: 'pre-wrap',
    overflowWrap: 'break-word',
  });
  const mark = document.createElement('span');
  mark.textContent = '\u200b';
  mirror.append(textarea.value.slice(0, position), mark);
  document.body.append(mirror);
  const { offsetLeft: left, offsetTop, offsetHeight } = mark;
  mirror.remove();
  const foot = offsetTop + offsetHeight - textarea.scrollTop;
  return {
    left: left + textarea.offsetLeft,
    top: Math.min(foot, textarea.offsetHeight) + textarea.offsetTop,
  };
}

function reveal(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' });
}

function countWords(count: number): string {
  if (count === 0) return 'Aucune variable ne correspond.';
  const words = count === 1 ? '1 variable' : `${count} variables`;
  return `${words}. Flèches pour parcourir, Entrée pour insérer, Échap pour fermer.`;
}
