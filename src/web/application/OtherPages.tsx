import { Route, Switch } from 'wouter';
import { useToken } from '../api/token.ts';
import { lazyComponent } from '../design/lazy-component.ts';
import { NotFoundPage } from '../design/NotFoundPage.tsx';
import { RedirectSignedIn, RedirectToLogin } from './RedirectToLogin.tsx';

/** Every page but the home page and the one that leads to it. */
export function OtherPages() {
  const token = useToken();
  return (
    <Switch>
      <Route path="/signup">
        {token ? <RedirectSignedIn from="/signup" /> : <signup.Component />}
      </Route>
      {openPages.map(([path, page]) => (
        <Route key={path} path={path} component={page.Component} />
      ))}
      {sessionPages.map(([path, page]) => (
        <Route key={path} path={path}>
          {token ? <page.Component key={token} /> : <RedirectToLogin />}
        </Route>
      ))}
      <Route component={NotFoundPage} />
    </Switch>
  );
}

type Pages = (readonly [path: string, page: ReturnType<typeof lazyComponent<unknown, object>>])[];

const signup = lazyComponent(
  () => import('../session/SignupPage.tsx'),
  (file) => file.SignupPage,
);

/** Open to everybody, signed in or not. */
const openPages: Pages = [
  [
    '/cgu',
    lazyComponent(
      () => import('../documents/TermsPage.tsx'),
      (file) => file.TermsPage,
    ),
  ],
  [
    '/confidentialite',
    lazyComponent(
      () => import('../documents/PrivacyPage.tsx'),
      (file) => file.PrivacyPage,
    ),
  ],
  [
    '/mentions-legales',
    lazyComponent(
      () => import('../documents/LegalPage.tsx'),
      (file) => file.LegalPage,
    ),
  ],
  [
    '/accessibilite',
    lazyComponent(
      () => import('../documents/AccessibilityPage.tsx'),
      (file) => file.AccessibilityPage,
    ),
  ],
  [
    '/mot-de-passe',
    lazyComponent(
      () => import('../session/PasswordPage.tsx'),
      (file) => file.PasswordPage,
    ),
  ],
  [
    '/confirmation',
    lazyComponent(
      () => import('../account/EmailConfirmationPage.tsx'),
      (file) => file.EmailConfirmationPage,
    ),
  ],
  [
    '/suppression',
    lazyComponent(
      () => import('../account/ReceiptPage.tsx'),
      (file) => file.ReceiptPage,
    ),
  ],
  [
    '/adresse',
    lazyComponent(
      () => import('../notifications/mailboxes/MailboxPage.tsx'),
      (file) => file.AcceptancePage,
    ),
  ],
  [
    '/desabonnement',
    lazyComponent(
      () => import('../notifications/mailboxes/MailboxPage.tsx'),
      (file) => file.UnsubscriptionPage,
    ),
  ],
];

const bankPage = lazyComponent(
  () => import('../banks/pages/BankRedirectPage.tsx'),
  (file) => file.BankRedirectPage,
);

/** For a signed-in user. */
const sessionPages: Pages = [
  [
    '/profil',
    lazyComponent(
      () => import('../account/ProfilePage.tsx'),
      (file) => file.ProfilePage,
    ),
  ],
  ['/renouveler/:id', bankPage],
  ['/banque/modifier/:id', bankPage],
  ['/banque/validation-pro/:id', bankPage],
  [
    '/banque/retour/:source',
    lazyComponent(
      () => import('../banks/pages/BankReturnPage.tsx'),
      (file) => file.BankReturnPage,
    ),
  ],
  [
    '/exploitation',
    lazyComponent(
      () => import('../operations/OperationsPage.tsx'),
      (file) => file.OperationsPage,
    ),
  ],
];

// Asked for while the rest of the page is still being drawn.
for (const [path, page] of [['/signup', signup] as const, ...openPages, ...sessionPages]) {
  if (path.replace(/\/:.*/, '') === location.pathname.replace(/\/\d+$/, '')) page.preload();
}
