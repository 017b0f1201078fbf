import { Component, type ReactNode, Suspense } from 'react';
import { alertTexts } from '../../shared/errors/texts.ts';
import { showToast } from '../toasts/toasts.ts';

interface PartBoundaryProps {
  /** Closes the part, so that it may be asked for again. */
  onFailure: () => void;
  waiting?: ReactNode;
  children: ReactNode;
}

/** A part of a page that could not be fetched is told by a toast and leaves its page alone. */
export class PartBoundary extends Component<PartBoundaryProps> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override componentDidCatch() {
    showToast('error', alertTexts.unknownError);
    this.props.onFailure();
  }

  override render() {
    if (this.state.broken) return null;
    return <Suspense fallback={this.props.waiting}>{this.props.children}</Suspense>;
  }
}
