import { Component, type ReactNode, Suspense } from 'react';
import { alertTexts } from '../../shared/errors/texts.ts';
import { PartMissing } from './chunk.ts';
import { showToast } from './toasts/toasts.ts';

interface BoundaryProps {
  /** Instead of what could not be fetched or drawn. */
  fallback?: ReactNode;
  onFailure?: (failure: unknown) => void;
  children: ReactNode;
}

export class Boundary extends Component<BoundaryProps> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override componentDidCatch(failure: unknown) {
    this.props.onFailure?.(failure);
  }

  override render() {
    return this.state.broken ? this.props.fallback : this.props.children;
  }
}

interface PartBoundaryProps {
  /** Closes the part, so that it may be asked for again. */
  onFailure: () => void;
  waiting?: ReactNode;
  children: ReactNode;
}

/**
 * A part of a page that could not be fetched is told by a toast and leaves its page alone. When it
 * fails for good, a reload is offered: what was typed is kept across it.
 */
export function PartBoundary({ onFailure, waiting, children }: PartBoundaryProps) {
  return (
    <Boundary
      onFailure={(failure) => {
        const isLost = failure instanceof PartMissing;
        showToast(
          'error',
          alertTexts.unknownError,
          isLost ? MISSING : null,
          isLost ? reload : null,
        );
        onFailure();
      }}
    >
      <Suspense fallback={waiting}>{children}</Suspense>
    </Boundary>
  );
}

const MISSING = "Une partie de la page n'a pas pu être chargée.";
const reload = { label: 'Recharger la page', press: () => location.reload() };
