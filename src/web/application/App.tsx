import { Suspense } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { currentToken, useToken } from '../api/token.ts';
import { Boundary } from '../design/Boundary.tsx';
import { chunk } from '../design/chunk.ts';
import styles from '../design/Page.module.css';
import { ToastHost } from '../design/toasts/ToastHost.tsx';
import { BrokenPage, Footer, Header } from './Frame.tsx';
import { SignInFirst } from './SignInFirst.tsx';

export function App() {
  const [path] = useLocation();
  const token = useToken();
  return (
    <>
      <Header />
      <Boundary key={path} fallback={<BrokenPage />}>
        <Suspense fallback={<main id="contenu" className={styles.waiting} aria-busy="true" />}>
          <Switch>
            {/* Another session is another home: the state of the one before must not show. */}
            <Route path="/">{token ? <home.Part key={token} /> : <SignInFirst />}</Route>
            <Route path="/login">{token ? <Redirect to="/" replace /> : <login.Part />}</Route>
            <Route component={other.Part} />
          </Switch>
          {/* With the page and not before: a page that comes must not push it down. */}
          <Footer />
        </Suspense>
      </Boundary>
      <ToastHost />
    </>
  );
}

const home = chunk(async () => (await import('../home/Home.tsx')).Home);
const login = chunk(async () => (await import('../session/LoginPage.tsx')).LoginPage);
/** The pages that few ask for first: their table is a file of its own. */
const other = chunk(async () => (await import('./OtherPages.tsx')).OtherPages);

// The page's own file is asked for before React draws anything.
if (location.pathname === '/' && currentToken()) home.prepare();
else if (location.pathname === '/' || location.pathname === '/login') login.prepare();
else other.prepare();

// Signing out leads there even when the server has stopped answering.
addEventListener('load', login.prepare, { once: true });
