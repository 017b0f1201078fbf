import { publicUrlOf } from '../../../platform/configuration/configuration.ts';
import { address, variable } from '../../../platform/configuration/variables.ts';
import type { ProviderDefinition } from '../../definition.ts';
import type { ChatDeps, ChatProvider } from '../port.ts';
import { createTelegram } from './adapter.ts';
import type { TelegramConfiguration } from './client.ts';
import { name } from './words.ts';

const credentials = ['TELEGRAM_BOT', 'TELEGRAM_TOKEN'] as const;

const realApiUrl = 'https://api.telegram.org';

export const telegram: ProviderDefinition<'telegram', ChatProvider, ChatDeps> = {
  kind: 'telegram',
  variables: {
    TELEGRAM_BOT: variable(
      '^[A-Za-z][A-Za-z0-9_]{3,31}$',
      'le nom du bot, sans @ : des lettres, des chiffres et _',
    ),
    TELEGRAM_TOKEN: variable(
      '^[0-9]{6,15}:[A-Za-z0-9_-]{30,64}$',
      'le jeton que BotFather a donné, comme 1234567890:AA…',
    ),
    TELEGRAM_API_URL: address(),
    TELEGRAM_LINK_URL: address(),
  },
  credentials,
  configure(values) {
    const { TELEGRAM_BOT: bot, TELEGRAM_TOKEN: token } = values;
    if (!bot || !token) return null;
    return configuredTelegram({
      ...{ bot, token, publicUrl: publicUrlOf(values) },
      apiUrl: (values.TELEGRAM_API_URL ?? realApiUrl).replace(/\/+$/, ''),
      linkUrl: (values.TELEGRAM_LINK_URL ?? 'https://t.me').replace(/\/+$/, ''),
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
