import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { PartBoundary } from './Boundary.tsx';
import { Button } from './Button.tsx';
import { chunk } from './chunk.ts';
import { IconButton } from './IconButton.tsx';
import { isExternal } from './navigation.ts';

const question = chunk(async () => (await import('./Confirmation.tsx')).DeletionQuestion);

interface DeleteButtonProps {
  subject: string;
  /** What the question is about, in a sentence. */
  explanation: string;
  busy: boolean;
  onConfirm: () => void;
  /** Where to go once it was confirmed. */
  target?: string;
  /** Written on the button, which is otherwise an icon. */
  label?: string | null;
}

/** Asks before it deletes. The question is fetched at the first hint; a press before that is kept. */
export function DeleteButton(props: DeleteButtonProps) {
  const { subject, explanation, busy, onConfirm, target, label } = props;
  const [asking, setAsking] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const go = useTarget();
  const shared = {
    ref: button,
    busy,
    onPointerEnter: question.prepare,
    onFocus: question.prepare,
    onClick: () => setAsking(true),
  };
  function confirm() {
    setAsking(false);
    onConfirm();
    if (target) go(target);
  }
  return (
    <>
      {label ? (
        <Button {...shared}>{label}</Button>
      ) : (
        <IconButton {...shared} icon="delete" title="Supprimer" subject={subject} />
      )}
      {asking && (
        <PartBoundary onFailure={() => setAsking(false)}>
          <question.Part
            explanation={explanation}
            opener={button}
            onCancel={() => setAsking(false)}
            onConfirm={confirm}
          />
        </PartBoundary>
      )}
    </>
  );
}

/** Specification §9: out of the app when the target starts with http, within it otherwise. */
function useTarget() {
  const [, navigate] = useLocation();
  return (target: string) => (isExternal(target) ? location.assign(target) : navigate(target));
}
