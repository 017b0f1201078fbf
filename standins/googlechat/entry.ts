import type { StandinEntry } from '../service/entry.ts';
import { startGoogleChatStandin } from './server.ts';

export const googlechatEntry: StandinEntry = {
  name: 'googlechat',
  kind: 'chats',
  async start({ port, clock, stateFile }) {
    const standin = await startGoogleChatStandin({ port, clock, stateFile });
    return {
      variables: { GOOGLE_CHAT_API_URL: `${standin.url}/v1` },
      page: { name: 'Google Chat', words: 'Adresses à coller, messages reçus', url: standin.url },
      section: null,
      chat: 'googlechat',
      notify: () => {},
      close: standin.close,
    };
  },
};
