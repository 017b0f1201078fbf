import { useEffect } from 'react';
import { type CloseButtonProps, ToastContainer, toast } from 'react-toastify/unstyled';
import { Button } from '../Button.tsx';
import { PathIcon } from '../Icon.tsx';
import styles from './Toaster.module.css';
import { registerToastRenderer, type Toast } from './toasts.ts';

/** Specification §9: top right, 5000 ms, removed by a drag of 80 % of the width. */
export function Toaster() {
  useEffect(() => {
    let stop = () => {};
    // Where React mounts twice at once, the first container forgets the toasts it was given.
    const timer = setTimeout(() => {
      stop = registerToastRenderer({ show, clear: () => toast.dismiss() });
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, []);
  return (
    <div className={styles.edge}>
      <ToastContainer
        className={styles.container}
        position="top-right"
        autoClose={5000}
        closeOnClick
        draggable
        draggablePercent={80}
        closeButton={CloseButton}
        hideProgressBar
        transition={false}
        icon={false}
        aria-label="Avis (Alt+T)"
      />
    </div>
  );
}

/** By their words: the last toast that said them. */
const latest = new Map<string, number>();

/** The same words again take the place of those before: they are seen and heard anew, and once. */
function show({ id, variant, text, detail, action }: Toast): void {
  const words = `${text}${detail ?? ''}`;
  const before = latest.get(words);
  if (before !== undefined) toast.dismiss(before);
  latest.set(words, id);
  toast(
    <div>
      <p className={styles.text}>{text}</p>
      {detail && detail !== text && <p className={styles.detail}>{detail}</p>}
      {action && (
        <Button variant="text" onClick={action.press}>
          {action.label}
        </Button>
      )}
    </div>,
    { type: variant, toastId: id },
  );
}

function CloseButton({ closeToast }: CloseButtonProps) {
  return (
    <button
      type="button"
      className={styles.close}
      aria-label="Fermer"
      onClick={(event) => {
        event.stopPropagation();
        closeToast(true);
      }}
    >
      <PathIcon path="M6 6l12 12M18 6 6 18" />
    </button>
  );
}
