import { currentToken } from '../sessions/token.ts';
import { chunk } from './chunks.ts';

export const home = chunk(async () => (await import('../home/Home.tsx')).Home);
export const login = chunk(async () => (await import('../sessions/LoginPage.tsx')).LoginPage);
export const signup = chunk(async () => (await import('../users/SignupPage.tsx')).SignupPage);
export const terms = chunk(async () => (await import('../terms/TermsPage.tsx')).TermsPage);

// The page's own file is asked for before React draws anything.
if (currentToken()) home.prepare();
else if (location.pathname === '/' || location.pathname === '/login') login.prepare();

// Signing out leads there even when the server has stopped answering.
addEventListener('load', login.prepare, { once: true });
