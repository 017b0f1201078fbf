import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { configuredEnableBanking } from '../../../../src/server/providers/banks/enablebanking/definition.ts';
import type { BankSource } from '../../../../src/server/providers/banks/port.ts';
import {
  type EnableBankingStandin,
  startEnableBankingStandin,
} from '../../../../standins/enablebanking/server.ts';
import type { ManualClock } from '../../../support/clock.ts';
import { as, clientDetails, openFixture } from '../source-fixture.ts';

let fixture: ReturnType<typeof openFixture>;
export let clock: ManualClock;
export const callbackUrl = 'https://tirelire.exemple.fr/api/banks/callback/enablebanking';
export const coastBank = 'Banque du Littoral';
export let enable: EnableBankingStandin;
export let source: BankSource;
export let values: { applicationId: string; privateKey: string };

/** To be called once by a file of tests: the stand-in, and a source for each test. */
export function setUpEnableBanking(): void {
  beforeAll(async () => {
    fixture = openFixture();
    clock = fixture.clock;
    enable = await startEnableBankingStandin({ clock, redirectUrls: [callbackUrl] });
    const [application] = enable.control.applications();
    values = { applicationId: application?.id ?? '', privateKey: application?.privateKey ?? '' };
  });
  beforeEach(() => {
    enable.control.clearFaults();
    enable.control.clearRequests();
    enable.control.setBehaviour({ closesOld: false });
    for (const { hash, type } of enable.control.accounts(coastBank)) {
      const error = type === 'CARD' ? 'ASPSP_ERROR' : null;
      enable.control.setAccount(hash, { error, balances: null, unattended: [] });
    }
    reopen();
  });
  afterAll(() => Promise.all([fixture.close(), enable.close()]));
}

/** A source that remembers nothing of the one before: no rest of an account. */
export function reopen(): void {
  source = fixture.open(configuredEnableBanking(enable.url));
}

export function redirectOf() {
  if (source.connect.kind !== 'redirect') throw new Error('no page');
  return source.connect;
}

export const submitForm = (given: Record<string, string> = values, known: string | null = null) =>
  redirectOf()
    .access?.check(given, callbackUrl)
    .then((change) => change(known)) ?? Promise.reject(new Error('no form'));

export const session = { callbackUrl, nonce: '0123456789abcdef01234567' };

/** The person goes to the page of a bank, and comes back with what she decided. */
export async function consentTo(
  secret: string,
  about: { bankId?: string; connectionId?: string } = { bankId: `FR/${coastBank}` },
  chosen?: string[],
) {
  const address = await redirectOf().begin(as(secret), { ...session, ...about });
  const back = new URL(enable.control.decide(address, 'allow', chosen));
  const query = Object.fromEntries(back.searchParams);
  const { nonce, outcome } = redirectOf().callback.read(query);
  expect([nonce, outcome]).toEqual([session.nonce, 'done']);
  const { complete } = redirectOf();
  if (!complete) throw new Error('nothing to complete');
  const completion = await complete(as(secret), query, clientDetails, about.connectionId ?? null);
  const kept = completion.changeSecret(secret);
  await completion.afterwards?.();
  return kept;
}

export const linked = async () => consentTo(await submitForm());
export const read = (secret: string | null, present = false) =>
  source.read(as(secret), present ? clientDetails : null, []);
export const askedFor = (word: string) =>
  enable.control.requests().filter(({ path }) => path.includes(word));
export const figures = async (secret: string, present = false) =>
  (await read(secret, present)).accounts.map(({ balance }) => balance.minor);
