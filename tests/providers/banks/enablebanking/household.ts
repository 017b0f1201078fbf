import { afterAll, beforeAll, expect } from 'vitest';
import { configuredEnableBanking } from '../../../../src/server/providers/banks/enablebanking/definition.ts';
import {
  type EnableBankingStandin,
  startEnableBankingStandin,
} from '../../../../standins/enablebanking/server.ts';
import { type Application, startApplication } from '../../../support/application.ts';
import { type ManualClock, manualClock } from '../../../support/clock.ts';
import type { Person } from '../../../support/person.ts';

export const bank = 'FR/Banque du Littoral';
export let clock: ManualClock;
export let enable: EnableBankingStandin;
export let app: Application;
export let ana: Person;

/** To be called once by a file of tests: an installation with a person, and the stand-in. */
export function setUpHousehold(): void {
  beforeAll(async () => {
    clock = manualClock();
    enable = await startEnableBankingStandin({ clock });
    app = await startApplication({
      clock,
      configuration: { bankSources: [configuredEnableBanking(enable.url)] },
    });
    ana = await app.signUp();
  });
  afterAll(() => Promise.all([app.close(), enable.close()]));
}

interface Account {
  id: number;
  name: string;
  balance: number | null;
  updated_at: string | null;
}

export const source = '/banks/sources/enablebanking';
export const values = () => {
  const [{ id, privateKey } = { id: '', privateKey: '' }] = enable.control.applications();
  return { applicationId: id, privateKey };
};
/** What the form asks for: the address at which the browser comes back from a bank. */
export function registerAddress(): void {
  const redirectUrls = [`${app.url}/api/banks/callback/enablebanking`];
  enable.control.setApplication(values().applicationId, { redirectUrls });
}

export const give = (person = ana, given: object = {}) =>
  person.post(`${source}/connections`, { values: { ...values(), ...given } });
export const items = async () => (await ana.get('/bridge/items')).body;
export const accounts = async (): Promise<Account[]> =>
  (await ana.get('/bridge/accounts?types[]=checking')).body;
export const secretsOf = () =>
  app.services.database.sql.selectFrom('bank_links').selectAll().where('user_id', '=', ana.id);

/** What the browser does: to the bank's page, and back. Returns where it ends. */
export async function comeBack(
  address: string,
  action: 'allow' | 'refuse' | 'fail',
  chosen?: string[],
) {
  const back = new URL(enable.control.decide(address, action, chosen));
  const answer = await app.visitor.get(`${back.pathname.slice(4)}${back.search}`);
  const to = answer.headers.get('location') ?? '';
  const [page, brought] = to.split('#');
  if (page !== `${app.url}/banque/retour/enablebanking`) return { to, end: null };
  const query = Object.fromEntries(new URLSearchParams(brought));
  return { to, end: (await ana.post(`${source}/returns`, { query })).body };
}

export const depart = async () =>
  (await ana.post(`${source}/pages`, { bank })).body.redirect_url as string;

export async function signUpWithKey(): Promise<void> {
  ana = await app.signUp();
  await give();
}

/** Links a bank of a new person. Returns the consent there. */
export async function linkNew() {
  await signUpWithKey();
  expect((await comeBack(await depart(), 'allow')).end).toMatchObject({ outcome: 'done' });
  return enable.control.sessions().at(-1);
}
