import { afterAll, beforeAll, expect, test } from 'vitest';
import { configuredQonto } from '../../../src/server/providers/banks/qonto/definition.ts';
import { type QontoStandin, startQontoStandin } from '../../../standins/qonto/server.ts';
import { type Application, startApplication } from '../../support/application.ts';
import { manualClock } from '../../support/clock.ts';
import { connectSlack } from '../../support/slack.ts';

const clock = manualClock();
let qonto: QontoStandin;
let app: Application;
beforeAll(async () => {
  qonto = await startQontoStandin({ clock });
  const configuration = { bankSources: [configuredQonto(qonto.url)] };
  app = await startApplication({ clock, configuration });
});
afterAll(() => Promise.all([app.close(), qonto.close()]));

test('transactions of one access are told while another is gone, whose bank is named', async () => {
  const ana = await app.signUp();
  const keys = qonto.control
    .organizations()
    .map(({ slug, secretKey }) => ({ login: slug, key: secretKey }));
  const give = (values: object | undefined) =>
    ana.post('/banks/sources/qonto/connections', { values });
  for (const values of keys) await give(values);
  clock.advance({ days: 2 });
  // Of the keys that are stored, only one is given again.
  app.services.vault.replaceSecrets(['another secret of the tests']);
  await give(keys[0]);
  const accounts = (await ana.get('/bridge/accounts')).body;
  const [first, second] = (await ana.get('/bridge/items')).body;
  expect([first.state, second.state]).toEqual(['ok', 'credentials']);
  const { id } = await connectSlack(app, ana, 'T0FONTAINE');
  const { body } = await ana.post(`/messengers/${id}/operations`, {});
  const told = new Set(
    body.operations.map(
      ({ accountId }: { accountId: number }) =>
        accounts.find((one: { id: number }) => one.id === accountId)?.item.id,
    ),
  );
  expect(told).toEqual(new Set([first.id]));
  expect(body).toMatchObject({ isRead: true, failed: [second.bank.name] });
});
