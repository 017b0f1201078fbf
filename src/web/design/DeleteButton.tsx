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
  const go = useTarget();
  const deletion = useDeletionQuestion(explanation, () => {
    onConfirm();
    if (target) go(target);
  });
  const shared = {
    ref: deletion.opener,
    busy,
    onPointerEnter: deletion.prepare,
    onFocus: deletion.prepare,
    onClick: deletion.ask,
  };
  return (
    <>
      {label ? (
        <Button {...shared}>{label}</Button>
      ) : (
        <IconButton {...shared} icon="delete" title="Supprimer" subject={subject} />
      )}
      {deletion.question}
    </>
  );
}

/** The question before a deletion, as a part of what asks it; `opener` gets the focus back. */
export function useDeletionQuestion(explanation: string, onConfirm: () => void) {
  const [asking, setAsking] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => setAsking(false);
  function confirm() {
    close();
    onConfirm();
  }
  return {
    opener,
    /** Fetches it ahead. */
    prepare: question.prepare,
    ask: () => setAsking(true),
    question: asking && (
      <PartBoundary onFailure={close}>
        <question.Part
          explanation={explanation}
          opener={opener}
          onCancel={close}
          onConfirm={confirm}
        />
      </PartBoundary>
    ),
  };
}

/** Specification §9: out of the app when the target starts with http, within it otherwise. */
function useTarget() {
  const [, navigate] = useLocation();
  return (target: string) => (isExternal(target) ? location.assign(target) : navigate(target));
}
