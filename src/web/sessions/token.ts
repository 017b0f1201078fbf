import { remembered } from './browser-storage.ts';

/** The session's token; null when signed out. */
export const {
  read: currentToken,
  reread: rereadToken,
  useValue: useToken,
  keep: keepToken,
} = remembered('tirelire.token');
