import { Component, type ReactNode, Suspense } from 'react';
import { noticeTexts } from '../../shared/errors/texts.ts';
import { ChunkLoadError } from './lazy-component.ts';
import { showToast } from './toasts/toasts.ts';

interface ErrorBoundaryProps {
  /** Instead of what could not be fetched or drawn. */
  fallback?: ReactNode;
  onFailure?: (failure: unknown) => void;
  children: ReactNode;
}

export class ErrorBoundary extends Component<ErrorBoundaryProps> {
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

interface LazyBoundaryProps {
  /** Closes the component, so that it may be asked for again. */
  onFailure: () => void;
  waiting?: ReactNode;
  children: ReactNode;
}

/**
 * A lazy component that could not be fetched is told by a toast and leaves its page alone. When it
 * fails for good, a reload is offered: what was typed is kept across it.
 */
export function LazyBoundary({ onFailure, waiting, children }: LazyBoundaryProps) {
  return (
    <ErrorBoundary
      onFailure={(failure) => {
        const isLost = failure instanceof ChunkLoadError;
        showToast(
          'error',
          noticeTexts.unknownError,
          isLost ? missingPart : null,
          isLost ? reload : null,
        );
        onFailure();
      }}
    >
      <Suspense fallback={waiting}>{children}</Suspense>
    </ErrorBoundary>
  );
}

const missingPart = "Une partie de la page n'a pas pu être chargée.";
const reload = { label: 'Recharger la page', press: () => location.reload() };
