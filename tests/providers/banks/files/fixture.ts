import { afterAll, beforeAll } from 'vitest';
import { configuredBridge } from '../../../../src/server/providers/banks/bridge/definition.ts';
import { files } from '../../../../src/server/providers/banks/files/definition.ts';
import { type BridgeStandin, startBridgeStandin } from '../../../../standins/bridge/server.ts';
import { type Application, startApplication } from '../../../support/application.ts';
import { manualClock } from '../../../support/clock.ts';
import type { Person } from '../../../support/person.ts';
import { sample as bytesOf } from './statements.ts';

const start = '2026-11-21T08:00:00Z';
export const clock = manualClock(start);
let bridge: BridgeStandin;
export let app: Application;
export let ana: Person;

/** To be called once in a file: it has a program of its own. */
export function setUpFiles(): void {
  beforeAll(async () => {
    clock.set(start);
    bridge = await startBridgeStandin({ clock });
    const { url: apiUrl, clientId, clientSecret } = bridge;
    const bridgeSource = configuredBridge({ apiUrl, clientId, clientSecret, webhookSecrets: [] });
    app = await startApplication({
      clock,
      configuration: { bankSources: [bridgeSource, files.configure({}) ?? []].flat() },
    });
    ana = await app.signUp();
  });
  afterAll(async () => {
    await app.close();
    await bridge.close();
  });
}

/** A file as a bank gives it, byte for byte a letter. */
export const sample = async (name: string) => (await bytesOf(name)).toString('latin1');

export function send(
  path: 'previews' | 'statements',
  file: string,
  query: object = {},
  person = ana,
) {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, JSON.stringify(value)]),
  );
  return person.send('POST', `/banks/sources/files/${path}?${search}`, {
    headers: { 'content-type': 'application/octet-stream' },
    body: Buffer.from(file, 'latin1'),
  });
}

export const accounts = async (person = ana) =>
  (await person.get('/bridge/accounts?types[]=checking')).body;
export const lcl = [{ bank: 'LCL', name: 'Compte courant' }];

/** The statement of that account with another balance, of another day. */
export const later = async (amount: string, day: string) =>
  (await sample('lcl-camt053.xml')).replace('1250.75', amount).replaceAll('2026-11-20', day);
