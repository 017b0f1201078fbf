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

const signup = chunk(async () => (await import('../session/SignupPage.tsx')).SignupPage);

/** Open to everybody, signed in or not. */
const openPages: Pages = [
  ['/cgu', chunk(async () => (await import('../documents/TermsPage.tsx')).TermsPage)],
  [
    '/confidentialite',
    chunk(async () => (await import('../documents/PrivacyPage.tsx')).PrivacyPage),
  ],
  ['/mentions-legales', chunk(async () => (await import('../documents/LegalPage.tsx')).LegalPage)],
  [
    '/accessibilite',
    chunk(async () => (await import('../documents/AccessibilityPage.tsx')).AccessibilityPage),
  ],
  ['/mot-de-passe', chunk(async () => (await import('../session/PasswordPage.tsx')).PasswordPage)],
  [
    '/confirmation',
    chunk(async () => (await import('../account/ConfirmationPage.tsx')).ConfirmationPage),
  ],
  [
    '/adresse',
    chunk(async () => (await import('../notifications/mailboxes/MailboxPage.tsx')).AcceptancePage),
  ],
  [
    '/desabonnement',
    chunk(
      async () => (await import('../notifications/mailboxes/MailboxPage.tsx')).UnsubscriptionPage,
    ),
  ],
  ['/suppression', chunk(async () => (await import('../account/ReceiptPage.tsx')).ReceiptPage)],
];

/** For a signed-in user. */
const sessionPages: Pages = [
  ['/profil', chunk(async () => (await import('../account/ProfilePage.tsx')).ProfilePage)],
  ['/renouveler/:id', chunk(async () => (await import('./RenewPage.tsx')).RenewPage)],
  [
    '/exploitation',
    chunk(async () => (await import('../operations/OperationsPage.tsx')).OperationsPage),
  ],
];

// Asked for while the rest of the page is still being drawn.
for (const [path, page] of [['/signup', signup] as const, ...openPages, ...sessionPages]) {
  if (path.replace(/\/:.*/, '') === location.pathname.replace(/\/\d+$/, '')) page.prepare();
}
