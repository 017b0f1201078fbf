import { Redirect, Route, Switch } from 'wouter';
import { useToken } from '../api/token.ts';
import { chunk } from '../design/chunk.ts';
import { NotFoundPage } from '../design/NotFoundPage.tsx';
import { SignInFirst } from './SignInFirst.tsx';

/** Every page but the home page and the one that leads to it. */
export function OtherPages() {
  const token = useToken();
  return (
    <Switch>
      <Route path="/signup">{token ? <Redirect to="/" replace /> : <signup.Part />}</Route>
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

type Pages = (readonly [path: string, page: ReturnType<typeof chunk<object>>])[];

const signup = chunk(() => import('../session/SignupPage.tsx').then((file) => file.SignupPage));

/** Open to everybody, signed in or not. */
const openPages: Pages = [
  ['/cgu', chunk(() => import('../documents/TermsPage.tsx').then((file) => file.TermsPage))],
  [
    '/confidentialite',
    chunk(() => import('../documents/PrivacyPage.tsx').then((file) => file.PrivacyPage)),
  ],
  [
    '/mentions-legales',
    chunk(() => import('../documents/LegalPage.tsx').then((file) => file.LegalPage)),
  ],
  [
    '/accessibilite',
    chunk(() =>
      import('../documents/AccessibilityPage.tsx').then((file) => file.AccessibilityPage),
    ),
  ],
  [
    '/mot-de-passe',
    chunk(() => import('../session/PasswordPage.tsx').then((file) => file.PasswordPage)),
  ],
  [
    '/confirmation',
    chunk(() => import('../account/ConfirmationPage.tsx').then((file) => file.ConfirmationPage)),
  ],
  [
    '/suppression',
    chunk(() => import('../account/ReceiptPage.tsx').then((file) => file.ReceiptPage)),
  ],
  [
    '/adresse',
    chunk(() =>
      import('../notifications/mailboxes/MailboxPage.tsx').then((file) => file.AcceptancePage),
    ),
  ],
  [
    '/desabonnement',
    chunk(() =>
      import('../notifications/mailboxes/MailboxPage.tsx').then((file) => file.UnsubscriptionPage),
    ),
  ],
];

const bankPage = chunk(() => import('./BankPage.tsx').then((file) => file.BankPage));

/** For a signed-in user. */
const sessionPages: Pages = [
  ['/profil', chunk(() => import('../account/ProfilePage.tsx').then((file) => file.ProfilePage))],
  ['/renouveler/:id', bankPage],
  ['/banque/modifier/:id', bankPage],
  ['/banque/validation-pro/:id', bankPage],
  [
    '/exploitation',
    chunk(() => import('../operations/OperationsPage.tsx').then((file) => file.OperationsPage)),
  ],
];

// Asked for while the rest of the page is still being drawn.
for (const [path, page] of [['/signup', signup] as const, ...openPages, ...sessionPages]) {
  if (path.replace(/\/:.*/, '') === location.pathname.replace(/\/\d+$/, '')) page.prepare();
}
