import { currentToken } from '../sessions/token.ts';
import { chunk } from './chunks.ts';

export const home = chunk(async () => (await import('../home/Home.tsx')).Home);
export const login = chunk(async () => (await import('../sessions/LoginPage.tsx')).LoginPage);
/** The pages that few ask for first: their table is a file of its own. */
export const other = chunk(async () => (await import('./OtherScreen.tsx')).OtherScreen);

// The page's own file is asked for before React draws anything.
if (location.pathname === '/' && currentToken()) home.prepare();
else if (location.pathname === '/' || location.pathname === '/login') login.prepare();
else other.prepare();

// Signing out leads there even when the server has stopped answering.
addEventListener('load', login.prepare, { once: true });
