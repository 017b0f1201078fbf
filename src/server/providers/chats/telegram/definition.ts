import { publicUrlOf } from '../../../platform/configuration/configuration.ts';
import { address, variable, withoutSlash } from '../../../platform/configuration/variables.ts';
import type { ChatDefinition } from '../definition.ts';
import type { ChatDeps } from '../port.ts';
import { createTelegram } from './adapter.ts';
import type { TelegramConfiguration } from './client.ts';
import { name, unrevoked } from './words.ts';

const credentials = ['TELEGRAM_BOT_TOKEN'] as const;

const realApiUrl = 'https://api.telegram.org';

export const telegram: ChatDefinition<'telegram'> = {
  kind: 'telegram',
  unrevoked,
  variables: {
    TELEGRAM_BOT_TOKEN: variable(
      '^[0-9]{6,15}:[A-Za-z0-9_-]{30,64}$',
      'le jeton que BotFather a donné, comme 1234567890:AA…',
    ),
    TELEGRAM_API_URL: address(),
    TELEGRAM_LINK_URL: address(),
  },
  credentials,
  configure(values) {
    const { TELEGRAM_BOT_TOKEN: token } = values;
    if (!token) return null;
    return configuredTelegram({
      ...{ token, publicUrl: publicUrlOf(values) },
      apiUrl: withoutSlash(values.TELEGRAM_API_URL ?? realApiUrl),
      linkUrl: withoutSlash(values.TELEGRAM_LINK_URL ?? 'https://t.me'),
    });
  },
};

export function configuredTelegram(configuration: TelegramConfiguration) {
  return {
    ...{ kind: 'telegram' as const, name, credentials, settings: configuration, warnings: [] },
    apiUrl: configuration.apiUrl,
    isReal: configuration.apiUrl === realApiUrl,
    open: ({ httpClient }: ChatDeps) => createTelegram(configuration, httpClient),
  };
}
