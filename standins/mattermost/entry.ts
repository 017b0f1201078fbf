import type { StandinEntry } from '../service/entry.ts';
import { startMattermostStandin } from './server.ts';

export const mattermostEntry: StandinEntry = {
  name: 'mattermost',
  kind: 'chats',
  async start({ port, clock, stateFile }) {
    const standin = await startMattermostStandin({ port, clock, stateFile });
    return {
      variables: {},
      origins: [standin.url],
      page: { name: 'Mattermost', words: 'Adresses à coller, messages reçus', url: standin.url },
      section: null,
      chat: 'mattermost',
      notify: () => {},
      close: standin.close,
    };
  },
};
