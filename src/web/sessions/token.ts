import { remembered } from './browser-storage.ts';

/** The session's token; null when signed out. */
export const {
  read: currentToken,
  useValue: useToken,
  keep: keepToken,
} = remembered('tirelire.token');
