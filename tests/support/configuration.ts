import type { Configuration } from '../../src/server/platform/configuration/configuration.ts';
import { usualLimits } from '../../src/server/platform/configuration/limits.ts';

/** A worker's in memory, whose chat is the stand-in at `chatUrl`. What differs stands where it is used. */
export function configurationFor(chatUrl: string): Configuration {
  return {
    port: 0,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:3000',
    apiUrl: '/api',
    trustProxy: 0,
    role: 'worker',
    dataDir: '',
    database: { engine: 'embedded', folder: 'memory://' },
    appSecrets: ['the secret of the tests'],
    bridge: { apiUrl: chatUrl, clientId: '', clientSecret: '', webhookSecrets: [] },
    slack: {
      apiUrl: `${chatUrl}/api/`,
      authorizeUrl: chatUrl,
      scope: 'bot',
      clientId: '',
      clientSecret: '',
      signingSecrets: [],
    },
    demoMixed: false,
    demoUrl: null,
    mail: null,
    operatorEmails: [],
    operatorName: null,
    metricsToken: null,
    heartbeatUrl: null,
    limits: usualLimits,
    logLevel: 'silent',
  };
}
