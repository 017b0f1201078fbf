import { useEffect } from 'react';
import { type CloseButtonProps, ToastContainer, toast } from 'react-toastify/unstyled';
import { Icon } from '../design/Icon.tsx';
import styles from './Toaster.module.css';
import { showToastsWith, type Toast } from './toasts.ts';

/** Specification §9: top right, 5000 ms, removed by a drag of 80 % of the width. */
export function Toaster() {
  useEffect(() => showToastsWith(show), []);
  return (
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
  );
}

function show({ look, text, detail }: Toast): void {
  // The same words twice at once say nothing more.
  const toastId = `${text}${detail ?? ''}`;
  toast(
    <div>
      <p className={styles.text}>{text}</p>
      {detail && detail !== text && <p className={styles.detail}>{detail}</p>}
    </div>,
    { type: look, toastId },
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
      <Icon name="close" />
    </button>
  );
}
