import { Route, Switch } from 'wouter';
import { useToken } from '../api/token.ts';
import { chunk } from '../design/chunk.ts';
import { NotFoundPage } from '../design/NotFoundPage.tsx';
import { RedirectSignedIn, SignInFirst } from './SignInFirst.tsx';

/** Every page but the home page and the one that leads to it. */
export function OtherPages() {
  const token = useToken();
  return (
    <Switch>
      <Route path="/signup">{token ? <RedirectSignedIn from="/signup" /> : <signup.Part />}</Route>
      {openPages.map(([path, page]) => (
        <Route key={path} path={path} component={page.Part} />
      ))}
      {sessionPages.map(([path, page]) => (
        <Route key={path} path={path}>
          {token ? <page.Part key={token} /> : <SignInFirst />}
        </Route>
      ))}
      <Route component={NotFoundPage} />
    </Switch>
  );
}

type Pages = (readonly [path: string, page: ReturnType<typeof chunk<unknown, object>>])[];

const signup = chunk(
  () => import('../session/SignupPage.tsx'),
  (file) => file.SignupPage,
);

/** Open to everybody, signed in or not. */
const openPages: Pages = [
  [
    '/cgu',
    chunk(
      () => import('../documents/TermsPage.tsx'),
      (file) => file.TermsPage,
    ),
  ],
  [
    '/confidentialite',
    chunk(
      () => import('../documents/PrivacyPage.tsx'),
      (file) => file.PrivacyPage,
    ),
  ],
  [
    '/mentions-legales',
    chunk(
      () => import('../documents/LegalPage.tsx'),
      (file) => file.LegalPage,
    ),
  ],
  [
    '/accessibilite',
    chunk(
      () => import('../documents/AccessibilityPage.tsx'),
      (file) => file.AccessibilityPage,
    ),
  ],
  [
    '/mot-de-passe',
    chunk(
      () => import('../session/PasswordPage.tsx'),
      (file) => file.PasswordPage,
    ),
  ],
  [
    '/confirmation',
    chunk(
      () => import('../account/ConfirmationPage.tsx'),
      (file) => file.ConfirmationPage,
    ),
  ],
  [
    '/suppression',
    chunk(
      () => import('../account/ReceiptPage.tsx'),
      (file) => file.ReceiptPage,
    ),
  ],
  [
    '/adresse',
    chunk(
      () => import('../notifications/mailboxes/MailboxPage.tsx'),
      (file) => file.AcceptancePage,
    ),
  ],
  [
    '/desabonnement',
    chunk(
      () => import('../notifications/mailboxes/MailboxPage.tsx'),
      (file) => file.UnsubscriptionPage,
    ),
  ],
];

const bankPage = chunk(
  () => import('./BankPage.tsx'),
  (file) => file.BankPage,
);

/** For a signed-in user. */
const sessionPages: Pages = [
  [
    '/profil',
    chunk(
      () => import('../account/ProfilePage.tsx'),
      (file) => file.ProfilePage,
    ),
  ],
  ['/renouveler/:id', bankPage],
  ['/banque/modifier/:id', bankPage],
  ['/banque/validation-pro/:id', bankPage],
  [
    '/banque/retour/:source',
    chunk(
      () => import('./ReturnPage.tsx'),
      (file) => file.ReturnPage,
    ),
  ],
  [
    '/exploitation',
    chunk(
      () => import('../operations/OperationsPage.tsx'),
      (file) => file.OperationsPage,
    ),
  ],
];

// Asked for while the rest of the page is still being drawn.
for (const [path, page] of [['/signup', signup] as const, ...openPages, ...sessionPages]) {
  if (path.replace(/\/:.*/, '') === location.pathname.replace(/\/\d+$/, '')) page.prepare();
}
