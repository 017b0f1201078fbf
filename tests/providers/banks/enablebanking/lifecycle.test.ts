import { expect, test } from 'vitest';
import { startWorker } from '../../../../src/server/app/worker.ts';
import { readAsScheduled, scheduleDue } from '../../../../src/server/banking/refreshing/work.ts';
import { sendConsentReminders } from '../../../../src/server/banking/reminders/reminders.ts';
import { sealedColumns } from '../../../../src/server/operations/sealed-columns.ts';
import { countSealed } from '../../../../src/server/platform/vault/sealed-columns.ts';
import { addNotification } from '../../../banking/customer.ts';
import { connectSlack } from '../../../support/slack.ts';
import {
  accounts,
  ana,
  app,
  bank,
  clock,
  comeBack,
  depart,
  enable,
  give,
  items,
  registerAddress,
  secretsOf,
  setUpHousehold,
  source,
  values,
} from './household.ts';

/** A household's banks, told in order: each test goes on where the last one ended. */
const [team, channel] = ['T0FONTAINE', 'C0FGENERAL0'];
setUpHousehold();

test('its form names the address to register, and its list is empty before it', async () => {
  const { body } = await ana.get('/banks/sources');
  expect(body).toMatchObject([
    {
      ...{ source: 'enablebanking', isLinked: false },
      connect: { kind: 'redirect', banks: 'here', access: { isDemonstration: true } },
    },
  ]);
  const callbackUrl = `${app.url}/api/banks/callback/enablebanking`;
  expect(body[0].connect.access.steps.join(' ')).toContain(callbackUrl);
  expect((await ana.get('/banks/directory')).body).toEqual({ banks: [], missing: [] });
  expect(await give()).toMatchObject({
    status: 422,
    body: { code: 'Bank_Credentials_Refused', message: expect.stringContaining(callbackUrl) },
  });
  registerAddress();
});

test('before the application is given no page is opened, and a wrong key is refused', async () => {
  expect(await ana.post(`${source}/pages`, { bank })).toMatchObject({ status: 422 });
  expect(await give(ana, { privateKey: 'sésame' })).toMatchObject({
    status: 422,
    body: { message: expect.stringContaining("n'est pas une clé privée") },
  });
  expect(await secretsOf().execute()).toEqual([]);
});

test('an application without a bank can be forgotten', async () => {
  expect((await give()).status).toBe(201);
  expect((await ana.delete(`${source}/access`)).status).toBe(204);
  expect(await secretsOf().execute()).toEqual([]);
});

test('with the application its banks are listed, and the key is sealed', async () => {
  expect(await give()).toMatchObject({ status: 201, body: [] });
  expect((await ana.get('/banks/sources')).body).toMatchObject([{ isLinked: true }]);
  expect((await ana.get('/banks/directory')).body.banks[0]).toEqual({
    ...{ name: 'Banque du Littoral', ways: [{ source: 'enablebanking', bank }] },
  });
  expect((await ana.get('/banks/directory?country=BE')).body.banks).toHaveLength(1);
  const rows = await secretsOf().execute();
  const words = values().privateKey.split('\n')[3] ?? '';
  expect(JSON.stringify(rows)).not.toContain(words);
  expect(await countSealed(app.services, sealedColumns)).toMatchObject({ unreadable: 0 });
  const all = [app.answers, (await ana.get('/users/me/export')).body];
  expect(JSON.stringify(all)).not.toContain(words);
});

test('a consent that is refused, broken or empty links nothing, and says why', async () => {
  const ends = [
    await comeBack(await depart(), 'refuse'),
    await comeBack(await depart(), 'fail'),
    await comeBack(await depart(), 'allow', []),
  ];
  expect(ends.slice(0, 2).map(({ to }) => to)).toEqual(
    ['cancelled', 'failed'].map((end) => `${app.url}/?notice=bank-${end}`),
  );
  expect(ends[2]?.end).toEqual({ purpose: 'add', outcome: 'no-accounts' });
  expect(await items()).toEqual([]);
});

test('a given consent shows the figures of the moment, without spending the day’s readings', async () => {
  const end = await comeBack(await depart(), 'allow');
  expect(end.end).toEqual({ purpose: 'add', outcome: 'done' });
  expect(await items()).toMatchObject([
    {
      ...{ state: 'ok', form: null, can_refresh: true, bank: { name: 'Banque du Littoral' } },
      last_successful_refresh: clock.now().toISOString(),
    },
  ]);
  expect(await accounts()).toMatchObject([{ name: 'Compte courant', balance: 1520.5 }]);
  const [first] = enable.control.accounts('Banque du Littoral');
  expect(first?.unattended).toEqual([]);
  for (let views = 0; views < 8; views += 1) await ana.get('/bridge/items?fresh=1');
  expect(first?.unattended).toEqual([]);
  expect(await ana.delete(`${source}/access`)).toMatchObject({
    ...{ status: 409, body: { code: 'Bank_Still_Linked' } },
  });
});

test('the button brings newer figures, and no other person can press it', async () => {
  const [item] = await items();
  clock.advance({ days: 1 });
  const press = (person = ana) => person.post(`/banks/connections/${item.id}/refreshes`);
  expect(await press()).toMatchObject({ status: 200, body: { has_newer_balances: true } });
  expect((await accounts())[0]?.updated_at).toBe(clock.now().toISOString());
  expect((await press()).status).toBe(429);
  expect((await press(await app.signUp())).status).toBe(404);
});

test('it is read before a message, which says its balance', async () => {
  const { id } = await connectSlack(app, ana, team);
  const message = 'Maison\u202f: {{solde:Compte courant}}';
  await ana.patch(`/messengers/${id}`, { message, slackChannel: channel });
  const [first] = enable.control.accounts('Banque du Littoral');
  enable.control.setAccount(first?.hash ?? '', {
    balances: [{ balance_type: 'ITBD', balance_amount: { currency: 'EUR', amount: '2000.00' } }],
  });
  const worker = await startWorker(app.services);
  const posted = () => app.chat.control.messages(team, channel).map(({ text }) => text);
  clock.set('2026-01-14T07:58:30Z');
  const stored = async () => (await accounts())[0]?.balance;
  await expect.poll(stored, { timeout: 15_000 }).toBe(2000);
  clock.set('2026-01-14T08:00:00Z');
  await expect.poll(posted, { timeout: 15_000 }).toHaveLength(1);
  await worker.stop();
  expect(posted()[0]).toContain('2\u202f000,00');
  expect(first?.unattended).toHaveLength(1);
});

test('a bank that did not answer is read once more before the message', async () => {
  const [item] = await items();
  clock.set('2026-01-15T07:46:00Z');
  enable.control.addFault({ kind: 'status', status: 500, path: '/accounts' });
  await app.services.bankRefreshes.refresh(ana.id, 'enablebanking');
  enable.control.clearFaults();
  expect(await items()).toMatchObject([{ id: item.id, state: 'unreachable' }]);
  expect(await scheduleDue(app.services)).toBe(0);
  clock.set('2026-01-15T07:57:00Z');
  const scheduledAt = clock.now().getTime();
  expect(await scheduleDue(app.services)).toBe(1);
  await readAsScheduled(app.services, { userId: ana.id, source: 'enablebanking', scheduledAt });
  expect(await items()).toMatchObject([{ id: item.id, state: 'ok' }]);
  expect((await accounts())[0]?.updated_at).toBe(clock.now().toISOString());
  clock.set('2026-01-15T07:59:00Z');
  expect(await scheduleDue(app.services)).toBe(0);
});

test('a bank that did not answer spends no reading of another', async () => {
  const { body } = await ana.post(`${source}/pages`, { bank: 'FR/Crédit Coopérant' });
  expect((await comeBack(body.redirect_url, 'allow')).end).toMatchObject({ outcome: 'done' });
  clock.set('2026-01-16T07:46:00Z');
  const { uids } = enable.control.sessions().at(-1) ?? { uids: [] };
  for (const { uid } of uids) {
    enable.control.addFault({ kind: 'status', status: 500, path: `/accounts/${uid}` });
  }
  await app.services.bankRefreshes.refresh(ana.id, 'enablebanking');
  enable.control.clearFaults();
  const [, other] = await items();
  expect(other).toMatchObject({ state: 'unreachable' });
  clock.set('2026-01-16T07:57:00Z');
  expect(await scheduleDue(app.services)).toBe(0);
  expect((await ana.delete(`/bridge/items/${other.id}`)).status).toBe(204);
  // The last one is again that of the first bank.
  enable.control.sessions().pop();
});

test('a revoked consent is said, the figures keep their date, and a renewal goes on with them', async () => {
  const before = await accounts();
  const { body: history } = await ana.get(`/bridge/accounts/${before[0]?.id}/balances`);
  enable.control.setSession(enable.control.sessions().at(-1)?.id ?? '', { status: 'REVOKED' });
  clock.advance({ days: 1 });
  const [item] = await items();
  await ana.post(`/banks/connections/${item.id}/refreshes`);
  expect(await items()).toMatchObject([{ state: 'renew', notice: { action: { kind: 'edit' } } }]);
  expect(await accounts()).toMatchObject(
    before.map(({ id, balance, updated_at }) => ({ id, balance, updated_at })),
  );
  const { body } = await ana.get(`/bridge/items/edit/${item.id}`);
  const end = await comeBack(body.redirect_url, 'allow');
  expect(end.end).toEqual({ purpose: 'edit', outcome: 'done' });
  expect(await items()).toMatchObject([{ id: item.id, state: 'ok' }]);
  const after = await accounts();
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  const { body: longer } = await ana.get(`/bridge/accounts/${before[0]?.id}/balances`);
  expect(longer.slice(0, history.length)).toEqual(history);
  expect(longer.length).toBeGreaterThan(history.length);
});

test('an ending consent is said and mailed; after its date the card says so without a reading', async () => {
  const [item] = await items();
  const validUntil = new Date(clock.now().getTime() + 2.5 * 86_400_000).toISOString();
  enable.control.setSession(enable.control.sessions().at(-1)?.id ?? '', { validUntil });
  await ana.post(`/banks/connections/${item.id}/refreshes`);
  expect((await items())[0]).toMatchObject({ notice: { action: { label: 'Renouveler' } } });
  expect(await sendConsentReminders(app.services)).toBe(1);
  // That its bank is silent hides no end: then there would be nothing to do.
  clock.advance({ minutes: 1 });
  enable.control.addFault({ kind: 'status', status: 500, path: '/accounts' });
  await ana.post(`/banks/connections/${item.id}/refreshes`);
  enable.control.clearFaults();
  expect((await items())[0]).toMatchObject({ state: 'unreachable' });
  clock.advance({ hours: 61 });
  expect((await items())[0]).toMatchObject({ state: 'renew' });
});

test('a message says that a consent has ended before any reading does', async () => {
  const id = await addNotification(app, ana);
  const message = '{{solde:Compte courant}}';
  const { text } = (await ana.post(`/messengers/${id}/preview`, { message })).body;
  expect(text).toContain('en attente de reconnexion');
});

test('an application that is switched off is said on the card, whose form then asks for another', async () => {
  enable.control.setApplication(values().applicationId, { active: false });
  const [item] = await items();
  const { body } = await ana.get(`/bridge/items/edit/${item.id}`);
  expect(body).toMatchObject({ message: expect.stringContaining("n'est pas encore active") });
  clock.advance({ minutes: 2 });
  enable.control.setSession(enable.control.sessions().at(-1)?.id ?? '', {
    validUntil: new Date(clock.now().getTime() + 86_400_000).toISOString(),
  });
  await ana.post(`/banks/connections/${item.id}/refreshes`);
  expect(await items()).toMatchObject([{ state: 'credentials', form: 'enablebanking' }]);
  enable.control.setApplication(values().applicationId, { active: true });
});

test('nobody sees or removes the bank of somebody else, and it goes with its key', async () => {
  const eve = await app.signUp();
  const [mine] = await items();
  expect((await eve.get('/bridge/items')).body).toEqual([]);
  expect((await eve.delete(`/bridge/items/${mine.id}`)).status).toBe(204);
  expect(await items()).toHaveLength(1);
  expect((await ana.delete(`/bridge/items/${mine.id}`)).status).toBe(204);
  expect(await items()).toEqual([]);
  expect(await secretsOf().execute()).toEqual([]);
});
