import { type ReactNode, useEffect, useRef, useState } from 'react';

/** The first page of a visit leaves the focus where the browser put it. */
let visited = false;

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
    // "Aller au contenu" may have been pressed before the content was there.
    const isAwaited = window.location.hash === '#contenu';
    if (follows || isAwaited) main.current?.focus({ preventScroll: true });
    visited = true;
  }, [follows]);
  return (
    <main ref={main} id="contenu" tabIndex={-1} className={className}>
      {children}
    </main>
  );
}
