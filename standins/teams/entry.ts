import type { StandinEntry } from '../service/entry.ts';
import { startTeamsStandin } from './server.ts';

export const teamsEntry: StandinEntry = {
  name: 'teams',
  kind: 'chats',
  async start({ port, clock, stateFile }) {
    const standin = await startTeamsStandin({ port, clock, stateFile });
    return {
      variables: {},
      origins: [standin.url],
      page: { name: 'Teams', words: 'Adresses à coller, messages reçus', url: standin.url },
      section: null,
      chat: 'teams',
      notify: () => {},
      close: standin.close,
    };
  },
};
