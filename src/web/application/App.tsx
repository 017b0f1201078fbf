import { Suspense, useEffect } from 'react';
import { Route, Switch, useLocation, useSearch } from 'wouter';
import { currentToken, useToken } from '../api/token.ts';
import { ErrorBoundary } from '../design/ErrorBoundary.tsx';
import { lazyComponent } from '../design/lazy-component.ts';
import styles from '../design/Page.module.css';
import { ToastHost } from '../design/toasts/ToastHost.tsx';
import { BrokenPage, Footer, Header } from './Frame.tsx';
import { RedirectSignedIn, RedirectToLogin } from './RedirectToLogin.tsx';

export function App() {
  const [path] = useLocation();
  const token = useToken();
  useNotice(token !== null);
  return (
    <>
      <Header />
      <ErrorBoundary key={path} fallback={<BrokenPage />}>
        <Suspense fallback={<main id="contenu" className={styles.waiting} aria-busy="true" />}>
          <Switch>
            {/* Keyed by the session: a new one starts without the state of the previous one. */}
            <Route path="/">{token ? <home.Component key={token} /> : <RedirectToLogin />}</Route>
            <Route path="/login">
              {token ? <RedirectSignedIn from="/login" /> : <login.Component />}
            </Route>
            <Route component={other.Component} />
          </Switch>
          {/* Inside Suspense: it appears together with the page, which would otherwise push it down. */}
          <Footer />
        </Suspense>
      </ErrorBoundary>
      <ToastHost />
    </>
  );
}

/** Only those who come back from the bank or the chat need its sentences; it waits for a sign-in. */
function useNotice(isSignedIn: boolean): void {
  const search = useSearch();
  const isThere = isSignedIn && new URLSearchParams(search).has('notice');
  useEffect(() => {
    if (!isThere) return;
    import('./notices.ts').then(
      ({ announceNotice }) => announceNotice(),
      // Its code stays in the address: a reload, which is what may bring the file, tells it.
      () => {},
    );
  }, [isThere]);
}

const home = lazyComponent(
  () => import('../home/Home.tsx'),
  (file) => file.Home,
);
const login = lazyComponent(
  () => import('../session/LoginPage.tsx'),
  (file) => file.LoginPage,
);
/** All other pages. Few visits begin there, so their routes are fetched separately. */
const other = lazyComponent(
  () => import('./OtherPages.tsx'),
  (file) => file.OtherPages,
);

// Starts to fetch the file of the first page before React renders.
if (location.pathname === '/' && currentToken()) home.preload();
else if (location.pathname === '/' || location.pathname === '/login') login.preload();
else other.preload();

// Fetched ahead: a sign-out shows the login page even when the server no longer answers.
addEventListener('load', login.preload, { once: true });
