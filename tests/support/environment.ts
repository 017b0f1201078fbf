import { ConfigurationFaults } from '../../src/server/platform/configuration/configuration.ts';
import { readConfiguration } from '../../src/server/providers/configuration.ts';
import type { Purpose } from '../../src/server/providers/credentials.ts';

export const credentials = {
  BRIDGE_CLIENT_ID: 'bridge-id',
  BRIDGE_CLIENT_SECRET: 'bridge-secret',
  SLACK_CLIENT_ID: 'slack-id',
  SLACK_CLIENT_SECRET: 'slack-secret',
};

export function read(environment: Record<string, string>, purpose: Purpose = 'serve') {
  return readConfiguration(environment, purpose, '/srv/tirelire');
}

export function faultsOf(environment: Record<string, string>, purpose: Purpose = 'serve') {
  try {
    read(environment, purpose);
  } catch (error) {
    if (error instanceof ConfigurationFaults) return error.faults;
    throw error;
  }
  return [];
}
