import { Component, type ReactNode, useEffect, useState } from 'react';
import { showToastsWith, type Toast } from './toasts.ts';

/** When the file that draws toasts cannot be fetched, their words still appear. */
export class PlainBoundary extends Component<{ children: ReactNode }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    return this.state.broken ? <PlainToasts /> : this.props.children;
  }
}

function PlainToasts() {
  const [toasts, setToasts] = useState<Toast[]>([]);
  useEffect(() => showToastsWith((toast) => setToasts((shown) => [...shown, toast])), []);
  return (
    <div role="alert">
      {toasts.map((toast) => (
        <p key={toast.id}>{toast.text}</p>
      ))}
    </div>
  );
}
