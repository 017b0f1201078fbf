import { type RefObject, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import type { Messenger } from '../../../shared/contract/messengers.ts';
import { Button } from '../../design/Button.tsx';
import { LazyBoundary } from '../../design/ErrorBoundary.tsx';
import { FieldFault } from '../../design/FieldFault.tsx';
import { lazyComponent } from '../../design/lazy-component.ts';
import { requestFocus } from '../../design/requested-focus.ts';
import type { Values } from '../draft.ts';
import { previewFocusName } from '../messenger-form.ts';
import styles from './MessageField.module.css';
import type { ActiveOption, MenuHandle } from './VariableMenu.tsx';

const tools = lazyComponent(
  () => import('./MessageTools.tsx'),
  (file) => file.MessageTools,
);

interface MessageFieldProps {
  textarea: RefObject<HTMLTextAreaElement | null>;
  messenger: Messenger;
  /** What is on screen. */
  values: Values;
  /** Its tools are not drawn: no preview is asked for that is not on screen. */
  folded: boolean;
  /** Beside the card, where there is room; null: under the text, from its first touch on. */
  previewBox: HTMLElement | null;
  fault: string | null;
  onChange: (message: string) => void;
}

/** The text, its variables and what they will say, fetched at its first touch or when in sight. */
export function MessageField(props: MessageFieldProps) {
  const { textarea, messenger, values, folded, previewBox, fault, onChange } = props;
  const id = useId();
  // What is proposed is shown as it will be posted.
  const [opened, setOpened] = useState(messenger.message === '');
  useInSight(previewBox, () => setOpened(true));
  const [asked, setAsked] = useState(0);
  const [active, setActive] = useState<ActiveOption | null>(null);
  /** Null until its file is there. */
  const menu = useRef<MenuHandle>(null);
  const closeMenu = () => menu.current?.close();
  function askForVariables() {
    textarea.current?.focus();
    setAsked((count) => count + 1);
  }
  function showPreview() {
    setOpened(true);
    requestFocus(previewFocusName(messenger.id));
  }
  return (
    <div className={`stack ${styles.field}`}>
      <div className={styles.frame}>
        <label htmlFor={id}>Message</label>
        <textarea
          ref={textarea}
          id={id}
          rows={5}
          value={values.message}
          aria-invalid={fault !== null}
          aria-describedby={fault ? `${id}-fault` : undefined}
          aria-autocomplete={opened ? 'list' : undefined}
          aria-haspopup={opened ? 'listbox' : undefined}
          aria-controls={active?.list}
          aria-activedescendant={active?.option}
          onPointerEnter={tools.preload}
          onFocus={() => setOpened(true)}
          onBlur={closeMenu}
          onClick={closeMenu}
          onKeyDown={(event) => menu.current?.onKeyDown(event)}
          onChange={({ currentTarget }) => {
            onChange(currentTarget.value);
            menu.current?.onType(currentTarget);
          }}
        />
        <FieldFault id={`${id}-fault`} text={fault} />
        <div className={styles.buttons}>
          <Button onPointerEnter={tools.preload} onClick={askForVariables}>
            Insérer une variable
          </Button>
          {!opened && previewBox === null && (
            <Button variant="text" onPointerEnter={tools.preload} onClick={showPreview}>
              Voir l'aperçu
            </Button>
          )}
        </div>
      </div>
      {opened && !folded && (
        <div className={`stack ${styles.tools}`} data-preview={previewBox === null}>
          <LazyBoundary onFailure={() => setOpened(false)}>
            <tools.Component
              menu={menu}
              textarea={textarea}
              messenger={messenger}
              values={values}
              previewBox={previewBox}
              asked={asked}
              onActive={setActive}
            />
          </LazyBoundary>
        </div>
      )}
    </div>
  );
}

/** Once a part of the element is on the screen, or nearly. */
function useInSight(element: HTMLElement | null, onSeen: () => void): void {
  const seen = useEffectEvent(onSeen);
  useEffect(() => {
    if (!element) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && seen(),
      { rootMargin: '200px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
}
