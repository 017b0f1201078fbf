import { Suspense } from 'react';
import { Redirect, useLocation } from 'wouter';
import { useToken } from '../sessions/token.ts';
import { ToastHost } from '../toasts/ToastHost.tsx';
import { Boundary } from './Boundary.tsx';
import { Footer } from './Footer.tsx';
import { Header } from './Header.tsx';
import { home, login, other } from './pages.ts';
import styles from './Screen.module.css';
import { SignInFirst } from './SignInFirst.tsx';

export function App() {
  const [path] = useLocation();
  return (
    <>
      <Header />
      <Boundary key={path}>
        <Suspense fallback={<main id="contenu" className={styles.waiting} aria-busy="true" />}>
          <Screen path={path} />
          {/* With the page and not before: a page that comes must not push it down. */}
          <Footer />
        </Suspense>
      </Boundary>
      <ToastHost />
    </>
  );
}

function Screen({ path }: { path: string }) {
  const token = useToken();
  switch (path) {
    case '/':
      // Another session is another home: nothing of the one before may show.
      return token ? <home.Part key={token} /> : <SignInFirst />;
    case '/login':
      return token ? <Redirect to="/" replace /> : <login.Part />;
    default:
      return <other.Part path={path} />;
  }
}
