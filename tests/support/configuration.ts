import { defaultLimits } from '../../src/server/platform/configuration/configuration.ts';
import { configuredBridge } from '../../src/server/providers/banks/bridge/definition.ts';
import { configuredSlack } from '../../src/server/providers/chats/slack/definition.ts';
import type { AppConfiguration } from '../../src/server/providers/configuration.ts';

/** A worker's in memory, whose chat is the stand-in at `chatUrl`. What differs stands where it is used. */
export function configurationFor(chatUrl: string): AppConfiguration {
  return {
    port: 0,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:3000',
    apiUrl: '/api',
    trustProxy: 0,
    role: 'worker',
    dataDir: '',
    statementsDir: null,
    database: { engine: 'embedded', folder: 'memory://' },
    appSecrets: ['the secret of the tests'],
    bankSources: [
      configuredBridge({ apiUrl: chatUrl, clientId: '', clientSecret: '', webhookSecrets: [] }),
    ],
    chats: [
      configuredSlack({
        apiUrl: `${chatUrl}/api/`,
        authorizeUrl: chatUrl,
        scope: 'bot',
        clientId: '',
        clientSecret: '',
        signingSecrets: [],
      }),
    ],
    warnings: [],
    demoUrl: null,
    mail: null,
    operatorEmails: [],
    operatorName: null,
    metricsToken: null,
    heartbeatUrl: null,
    limits: defaultLimits,
    logLevel: 'silent',
  };
}
