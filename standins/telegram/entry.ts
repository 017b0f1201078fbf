import type { StandinEntry } from '../service/entry.ts';
import { startTelegramStandin } from './server.ts';

export const telegramEntry: StandinEntry = {
  name: 'telegram',
  kind: 'chats',
  async start({ port, clock, stateFile }) {
    const standin = await startTelegramStandin({ port, clock, stateFile });
    return {
      variables: {
        TELEGRAM_BOT_TOKEN: standin.token,
        TELEGRAM_API_URL: standin.url,
        TELEGRAM_LINK_URL: standin.url,
      },
      page: { name: 'Telegram', words: 'Conversations, messages reçus', url: standin.url },
      section: null,
      chat: 'telegram',
      notify: () => {},
      close: standin.close,
    };
  },
};
