import { type ReactNode, useState } from 'react';
import type { Messenger } from '../../shared/contract/messengers.ts';
import { Button } from '../design/Button.tsx';
import { lazyComponent } from '../design/lazy-component.ts';
import { RetryBoundary } from '../design/RetryBoundary.tsx';
import styles from './MessengerForm.module.css';
import type { useMessengerForm } from './messenger-form.ts';

/** A folded card needs none of it. */
const fields = lazyComponent(
  () => import('./MessengerFields.tsx'),
  (file) => file.MessengerFields,
);
// Most people have so few notifications that these are open: asked for beside the list of them.
fields.preload();

const missingSettings = "Les réglages de cette notification n'ont pas pu être chargés.";

interface MessengerFormProps {
  messenger: Messenger;
  form: ReturnType<typeof useMessengerForm>;
  /** The button of its next step is the solid one of the page. */
  hasPrimaryAction: boolean;
  /** Shows the button of the test alone. */
  folded: boolean;
  /** Beside the card; null while it is folded, and where the page is too narrow for it. */
  previewBox: HTMLElement | null;
  /** What else the card holds, above its buttons, which stay in sight. */
  children: ReactNode;
}

export function MessengerForm(props: MessengerFormProps) {
  const { messenger, form, hasPrimaryAction, folded, previewBox, children } = props;
  const [isNeeded, setNeeded] = useState(!folded);
  if (!folded && !isNeeded) setNeeded(true);
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // In React the form of a dialog on the card stands within this one.
        if (event.target === event.currentTarget) form.submit();
      }}
    >
      {isNeeded && (
        <div className={styles.fields} hidden={folded}>
          <RetryBoundary missing={missingSettings} waiting={<div className={styles.room} />}>
            {() => (
              <fields.Component {...{ messenger, form, hasPrimaryAction, folded, previewBox }}>
                {children}
              </fields.Component>
            )}
          </RetryBoundary>
        </div>
      )}
      <div className={styles.foot} data-folded={folded}>
        {form.changed && (
          <p className={`note ${styles.unsaved}`}>
            Modifications non enregistrées.
            {!form.saving && (
              <Button
                variant="text"
                onClick={({ currentTarget }) => {
                  // It goes away with what it drops: the card gets the focus.
                  currentTarget.closest<HTMLElement>('[tabindex="-1"]')?.focus();
                  form.drop();
                }}
              >
                Abandonner
              </Button>
            )}
          </p>
        )}
        <div className={styles.actions}>
          <Button
            // There is nothing to test yet.
            variant={!folded && form.next === 'channel' ? 'text' : 'plain'}
            busy={form.testing}
            onClick={form.sendTest}
          >
            Tester
          </Button>
          {!folded && (
            <Button
              type="submit"
              variant={hasPrimaryAction && form.next === 'save' ? 'primary' : 'plain'}
              busy={form.saving}
            >
              Valider
            </Button>
          )}
        </div>
      </div>
    </form>
  );
}
