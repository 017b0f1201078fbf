import { noticeTexts } from '../../shared/errors/texts.ts';
import { Button } from './Button.tsx';
import { showToast } from './toasts/toasts.ts';

interface CopyButtonProps {
  text: string;
  /** What is said once it is copied. */
  done: string;
}

/** Browsers let a page write to the clipboard over HTTPS and on this machine only. */
export function CopyButton({ text, done }: CopyButtonProps) {
  if (!isSecureContext) return null;
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => showToast('success', done),
      () => showToast('error', noticeTexts.unknownError),
    );
  return <Button onClick={copy}>Copier</Button>;
}
