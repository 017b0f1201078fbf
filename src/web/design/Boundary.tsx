import { Component, type ReactNode, Suspense } from 'react';
import { alertTexts } from '../../shared/errors/texts.ts';
import { showToast } from './toasts/toasts.ts';

interface BoundaryProps {
  /** Instead of what could not be fetched or drawn. */
  fallback?: ReactNode;
  onFailure?: () => void;
  children: ReactNode;
}

export class Boundary extends Component<BoundaryProps> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override componentDidCatch() {
    this.props.onFailure?.();
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

/** A part of a page that could not be fetched is told by a toast and leaves its page alone. */
export function PartBoundary({ onFailure, waiting, children }: PartBoundaryProps) {
  return (
    <Boundary
      onFailure={() => {
        showToast('error', alertTexts.unknownError);
        onFailure();
      }}
    >
      <Suspense fallback={waiting}>{children}</Suspense>
    </Boundary>
  );
}
