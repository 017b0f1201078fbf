import { Redirect } from 'wouter';
import { useToken } from '../sessions/token.ts';
import { chunk } from './chunks.ts';
import { NotFoundPage } from './NotFoundPage.tsx';
import { SignInFirst } from './SignInFirst.tsx';

/** Every page but the home page and the one that leads to it. */
export function OtherScreen({ path }: { path: string }) {
  const token = useToken();
  if (path === '/signup') return token ? <Redirect to="/" replace /> : <signup.Part />;
  const Open = openPages[path]?.Part;
  if (Open) return <Open />;
  const Own = ownPages[path]?.Part;
  if (!Own) return <NotFoundPage />;
  return token ? <Own key={token} /> : <SignInFirst />;
}

type Pages = Partial<Record<string, ReturnType<typeof chunk>>>;

const signup = chunk(async () => (await import('../users/SignupPage.tsx')).SignupPage);

/** For everybody, signed in or not. */
const openPages: Pages = {
  '/cgu': chunk(async () => (await import('../documents/TermsPage.tsx')).TermsPage),
  '/confidentialite': chunk(async () => (await import('../documents/PrivacyPage.tsx')).PrivacyPage),
  '/mentions-legales': chunk(async () => (await import('../documents/LegalPage.tsx')).LegalPage),
  '/accessibilite': chunk(
    async () => (await import('../documents/AccessibilityPage.tsx')).AccessibilityPage,
  ),
  '/mot-de-passe': chunk(async () => (await import('../password/PasswordPage.tsx')).PasswordPage),
  '/confirmation': chunk(
    async () => (await import('../confirmation/ConfirmationPage.tsx')).ConfirmationPage,
  ),
  '/suppression': chunk(async () => (await import('../deletion/ReceiptPage.tsx')).ReceiptPage),
};

/** For whoever is signed in. */
const ownPages: Pages = {
  '/profil': chunk(async () => (await import('../profile/ProfilePage.tsx')).ProfilePage),
  '/exploitation': chunk(
    async () => (await import('../operations/OperationsPage.tsx')).OperationsPage,
  ),
};

// Asked for while the shell is still being drawn.
({ '/signup': signup, ...openPages, ...ownPages })[location.pathname]?.prepare();
