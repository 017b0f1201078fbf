import { type RefObject, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { caretPlace } from './caret-place.ts';
import { type Completion, completionAt, matching } from './completion.ts';
import { insertText } from './insertion.ts';

type TextareaRef = RefObject<HTMLTextAreaElement | null>;

interface MenuOptions {
  id: string;
  textarea: TextareaRef;
  variables: readonly string[];
  asked: number;
}

interface Menu extends Completion {
  place: { left: number; top: number };
}

/** Opens at `{{` and at the button's press, follows what is typed, and answers to the keyboard. */
export function useVariableMenu({ id, textarea, variables, asked }: MenuOptions) {
  const [menu, setMenu] = useState<Menu | null>(null);
  const [active, setActive] = useState(0);
  const query = menu?.query;
  const options = useMemo(
    () => (query === undefined ? [] : matching(variables, query)),
    [variables, query],
  );

  function show(completion: Completion | null) {
    const box = textarea.current;
    setMenu(completion && box && { ...completion, place: caretPlace(box, completion.from) });
    setActive(0);
  }
  function choose(variable: string) {
    if (menu && textarea.current) insertText(textarea.current, menu, variable);
    show(null);
  }
  function onKey(event: KeyboardEvent) {
    const option = options[active];
    if (!menu || event.isComposing) return;
    if (event.key === 'Escape') show(null);
    else if (event.key === 'ArrowDown') setActive((active + 1) % Math.max(1, options.length));
    else if (event.key === 'ArrowUp') setActive(Math.max(0, (active || options.length) - 1));
    else if (option && (event.key === 'Enter' || event.key === 'Tab')) choose(option);
    else return;
    event.preventDefault();
  }

  useListening(textarea, asked, {
    onAsk: ({ selectionStart: from, selectionEnd: to }) => show({ from, to, query: '' }),
    onKey,
    onType: (box) => show(completionAt(box.value, box.selectionEnd)),
    onLeave: () => show(null),
  });
  useOptionName(textarea, options.length > 0 ? id : null, active);
  return { place: menu?.place ?? null, options, active, setActive, choose };
}

interface Listeners {
  onAsk: (box: HTMLTextAreaElement) => void;
  onKey: (event: KeyboardEvent) => void;
  onType: (box: HTMLTextAreaElement) => void;
  onLeave: () => void;
}

function useListening(textarea: TextareaRef, asked: number, listeners: Listeners): void {
  const tell = useEffectEvent((name: 'onAsk' | 'onType', box: HTMLTextAreaElement) =>
    listeners[name](box),
  );
  const onKey = useEffectEvent((event: KeyboardEvent) => listeners.onKey(event));
  const onLeave = useEffectEvent(() => listeners.onLeave());
  useEffect(() => {
    if (asked > 0 && textarea.current) tell('onAsk', textarea.current);
  }, [textarea, asked]);
  useEffect(() => {
    const box = textarea.current;
    const listening = new AbortController();
    const { signal } = listening;
    // What was typed while this part was loading opens the menu too.
    if (box && box === document.activeElement && isUnderWay(box)) tell('onType', box);
    box?.addEventListener('keydown', (event) => onKey(event), { signal });
    box?.addEventListener('input', () => tell('onType', box), { signal });
    box?.addEventListener('blur', () => onLeave(), { signal });
    box?.addEventListener('click', () => onLeave(), { signal });
    return () => listening.abort();
  }, [textarea]);
}

/** At the caret stands a variable that is begun and not closed. */
function isUnderWay({ value, selectionEnd }: HTMLTextAreaElement): boolean {
  return completionAt(value, selectionEnd)?.to === selectionEnd;
}

/** The textarea says that it has a list, and which of its options is under way. */
function useOptionName(textarea: TextareaRef, listId: string | null, active: number): void {
  useEffect(() => {
    const box = textarea.current;
    const name = (attribute: string, value: string | null) =>
      value === null ? box?.removeAttribute(attribute) : box?.setAttribute(attribute, value);
    name('aria-autocomplete', 'list');
    name('aria-haspopup', 'listbox');
    name('aria-controls', listId);
    name('aria-activedescendant', listId && `${listId}-${active}`);
  }, [textarea, listId, active]);
}
