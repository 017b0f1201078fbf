import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react';

/** The first page of a visit leaves the focus where the browser put it. */
let visited = false;
/** "Aller au contenu" was pressed before the content was there. */
let isAwaited = false;

/** The address stays: what stands behind its `#` may be a receipt. */
export function skipToContent(event: MouseEvent): void {
  event.preventDefault();
  const main = document.querySelector<HTMLElement>('main');
  isAwaited = !main?.hasAttribute('tabindex');
  main?.focus();
  main?.scrollIntoView();
}

interface PageProps {
  title: string;
  className?: string | undefined;
  children: ReactNode;
}

/** The main part of a page: names the tab, and takes the focus when one page follows another. */
export function Page({ title, className, children }: PageProps) {
  const main = useRef<HTMLElement>(null);
  const [follows] = useState(() => visited);
  useEffect(() => {
    document.title = `${title} · Tirelire`;
  }, [title]);
  useEffect(() => {
    if (follows || isAwaited) main.current?.focus({ preventScroll: true });
    visited = true;
    isAwaited = false;
  }, [follows]);
  return (
    <main ref={main} id="contenu" tabIndex={-1} className={className}>
      {children}
    </main>
  );
}
