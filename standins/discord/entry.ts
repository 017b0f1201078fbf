import type { StandinEntry } from '../service/entry.ts';
import { application } from './consent.ts';
import { startDiscordStandin } from './server.ts';

export const discordEntry: StandinEntry = {
  name: 'discord',
  kind: 'chats',
  async start({ port, clock, stateFile }) {
    const standin = await startDiscordStandin({ port, clock, stateFile });
    return {
      variables: {
        DISCORD_API_URL: `${standin.url}/api/v10`,
        DISCORD_AUTHORIZE_URL: `${standin.url}/oauth2/authorize`,
        DISCORD_CLIENT_ID: application.clientId,
        DISCORD_CLIENT_SECRET: application.clientSecret,
      },
      page: { name: 'Discord', words: 'Adresses à coller, messages reçus', url: standin.url },
      section: null,
      chat: 'discord',
      notify: () => {},
      close: standin.close,
    };
  },
};
