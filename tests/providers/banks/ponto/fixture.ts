import { afterAll, beforeAll, beforeEach } from 'vitest';
import { configuredPonto } from '../../../../src/server/providers/banks/ponto/definition.ts';
import type { BankSource } from '../../../../src/server/providers/banks/port.ts';
import { type PontoStandin, startPontoStandin } from '../../../../standins/ponto/server.ts';
import type { ManualClock } from '../../../support/clock.ts';
import { as, openFixture } from '../source-fixture.ts';

let fixture: ReturnType<typeof openFixture>;
export let clock: ManualClock;
export const atelier = { clientId: 'ponto-atelier', clientSecret: 'secret-demo-atelier' };
export const studio = { clientId: 'ponto-studio', clientSecret: 'secret-demo-studio' };
export let ponto: PontoStandin;
export let source: BankSource;

/** To be called once by a file of tests: Ponto's stand-in, and a source for each test. */
export function setUpPonto(): void {
  beforeAll(async () => {
    fixture = openFixture();
    clock = fixture.clock;
    clock.set('2026-01-12T09:30:00Z');
    ponto = await startPontoStandin({ clock });
  });
  beforeEach(() => {
    ponto.control.clearFaults();
    ponto.control.clearRequests();
    reopen();
  });
  afterAll(() => Promise.all([fixture.close(), ponto.close()]));
}

/** A source that remembers nothing of the one before. */
export function reopen(): void {
  source = fixture.open(configuredPonto(ponto.url));
}

export function link(values: Record<string, string>, known: string | null = null): Promise<string> {
  if (source.connect.kind !== 'form') throw new Error('no form');
  return source.connect.check(values).then((change) => change(known));
}

export const read = async (secret: string | null, known: string[] = []) =>
  source.read(as(secret), null, known);
export const asked = () => ponto.control.requests().map(({ method, path }) => `${method} ${path}`);
export const made = async (name: string, clientId: string) => {
  const { accounts, clientSecret } = ponto.control.addOrganization(name, clientId);
  return { secret: await link({ clientId, clientSecret }), accounts, clientSecret };
};
