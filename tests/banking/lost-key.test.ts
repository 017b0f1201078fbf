import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { configuredEnableBanking } from '../../src/server/providers/banks/enablebanking/definition.ts';
import { configuredPonto } from '../../src/server/providers/banks/ponto/definition.ts';
import { configuredQonto } from '../../src/server/providers/banks/qonto/definition.ts';
import {
  type EnableBankingStandin,
  startEnableBankingStandin,
} from '../../standins/enablebanking/server.ts';
import { type PontoStandin, startPontoStandin } from '../../standins/ponto/server.ts';
import { type QontoStandin, startQontoStandin } from '../../standins/qonto/server.ts';
import { type Application, startApplication } from '../support/application.ts';
import { manualClock } from '../support/clock.ts';
import type { Person } from '../support/person.ts';

/** What becomes of a person's banks when the key that sealed their credentials is lost. */
const clock = manualClock();
let qonto: QontoStandin;
let ponto: PontoStandin;
let enable: EnableBankingStandin;
let app: Application;
let ana: Person;
beforeAll(async () => {
  [qonto, ponto, enable] = await Promise.all([
    startQontoStandin({ clock }),
    startPontoStandin({ clock }),
    startEnableBankingStandin({ clock }),
  ]);
  app = await startApplication({
    clock,
    configuration: {
      bankSources: [
        configuredQonto(qonto.url),
        configuredPonto(ponto.url),
        configuredEnableBanking(enable.url),
      ],
    },
  });
  const [application] = enable.control.applications();
  enable.control.setApplication(application?.id ?? '', {
    redirectUrls: [`${app.url}/api/banks/callback/enablebanking`],
  });
});
beforeEach(async () => {
  ana = await app.signUp();
});
afterAll(() => Promise.all([app.close(), qonto.close(), ponto.close(), enable.close()]));

let lost = 0;
function loseKey(): void {
  app.services.vault.replaceSecrets([`another secret ${lost++}`]);
}

const give = (source: string, values: object) =>
  ana.post(`/banks/sources/${source}/connections`, { values });
const states = async (): Promise<[string, string][]> =>
  (await ana.get('/bridge/items')).body.map(
    ({ bank, state }: { bank: { name: string }; state: string }) => [bank.name, state],
  );
const accountIds = async (): Promise<number[]> =>
  (await ana.get('/bridge/accounts')).body.map(({ id }: { id: number }) => id);

/** Two readings far enough apart for what is missing to be erased. */
async function readTwice(source: string): Promise<void> {
  for (let readings = 0; readings < 2; readings += 1) {
    clock.advance({ hours: 2 });
    await app.services.bankRefreshes.refresh(ana.id, source);
  }
}

test('of two keys at Qonto, the banks of the one that is not given again stay and ask for it', async () => {
  const keys = qonto.control
    .organizations()
    .map(({ slug, secretKey }) => ({ login: slug, key: secretKey }));
  for (const values of keys) await give('qonto', values);
  const before = await accountIds();
  loseKey();
  await give('qonto', keys[0] ?? {});
  await readTwice('qonto');
  expect((await states()).map(([, state]) => state)).toEqual(['ok', 'credentials']);
  await give('qonto', keys[1] ?? {});
  expect((await states()).map(([, state]) => state)).toEqual(['ok', 'ok']);
  expect(await accountIds()).toEqual(before);
});

test('of two integrations at Ponto, the banks of the one that is not given again stay too', async () => {
  const pairs = ponto.control
    .organizations()
    .map(({ clientId, clientSecret }) => ({ clientId, clientSecret }));
  for (const values of pairs) await give('ponto', values);
  const before = await accountIds();
  loseKey();
  await give('ponto', pairs[1] ?? {});
  await readTwice('ponto');
  expect((await states()).map(([, state]) => state)).toEqual([
    ...['credentials', 'credentials', 'ok', 'ok'],
  ]);
  await give('ponto', pairs[0] ?? {});
  expect((await states()).map(([, state]) => state)).toEqual(['ok', 'ok', 'ok', 'ok']);
  expect(await accountIds()).toEqual(before);
});

async function consentTo(bank: string): Promise<void> {
  const { body } = await ana.post('/banks/sources/enablebanking/pages', { bank: `FR/${bank}` });
  const back = new URL(enable.control.decide(body.redirect_url, 'allow'));
  const query = Object.fromEntries(back.searchParams);
  await ana.post('/banks/sources/enablebanking/returns', { query });
}

test('of two consents at Enable Banking, the one that is not given again waits; a new one goes on with its accounts', async () => {
  const [{ id, privateKey } = { id: '', privateKey: '' }] = enable.control.applications();
  const values = { applicationId: id, privateKey };
  const [coast, cooperative] = ['Banque du Littoral', 'Crédit Coopérant'];
  await give('enablebanking', values);
  await consentTo(coast);
  await consentTo(cooperative);
  const before = await accountIds();
  loseKey();
  await give('enablebanking', values);
  await readTwice('enablebanking');
  expect(await states()).toEqual([
    [coast, 'credentials'],
    [cooperative, 'credentials'],
  ]);
  await consentTo(coast);
  expect(await accountIds()).toEqual(before);
  await readTwice('enablebanking');
  expect(await states()).toEqual([
    [cooperative, 'credentials'],
    [coast, 'ok'],
  ]);
  expect(await accountIds()).toEqual(before);
  const [waiting, renewed] = (await ana.get('/bridge/items')).body;
  await ana.delete(`/bridge/items/${renewed.id}`);
  expect((await ana.get('/banks/sources')).body[2]).toMatchObject({ isLinked: true });
  await ana.delete(`/bridge/items/${waiting.id}`);
  expect((await ana.get('/banks/sources')).body[2]).toMatchObject({ isLinked: false });
});
