import { sql } from 'kysely';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { startWorker } from '../../../../src/server/app/worker.ts';
import { sealedColumns } from '../../../../src/server/operations/sealed-columns.ts';
import { resealEverything } from '../../../../src/server/platform/vault/sealed-columns.ts';
import { requeueDeletions } from '../../../../src/server/privacy/deletion/work.ts';
import { deletionJobs } from '../../../../src/server/privacy/jobs.ts';
import type { BankSource } from '../../../../src/server/providers/banks/port.ts';
import {
  ana,
  app,
  clock,
  comeBack,
  enable,
  items,
  linkNew,
  registerAddress,
  setUpHousehold,
  source,
} from './household.ts';

setUpHousehold();
beforeAll(() => registerAddress());

test('while Enable Banking is not configured, no bank is removed whose consent would go on', async () => {
  const session = await linkNew();
  const [item] = await items();
  const bankSources = app.services.bankSources as Map<string, BankSource>;
  const configured = bankSources.get('enablebanking');
  bankSources.delete('enablebanking');
  const answer = await ana.delete(`/bridge/items/${item.id}`);
  if (configured) bankSources.set('enablebanking', configured);
  expect(answer).toMatchObject({ status: 503, body: { code: 'Bank_Unavailable' } });
  expect((await ana.delete(`/bridge/items/${item.id}`)).status).toBe(204);
  expect(session?.status).toBe('CLOSED');
});

/** Returns the names of the steps that are done, from then on. */
async function leave(): Promise<() => Promise<string[]>> {
  const asked = { currentPassword: ana.details.password };
  const { receipt } = (await ana.post('/users/me/deletion', asked)).body;
  return async () => {
    const { body } = await app.visitor.get(`/accounts/deletions/${receipt}`);
    const steps: { name: string; doneDate: string | null }[] = body.steps;
    return steps.flatMap(({ name, doneDate }) => (doneDate === null ? [] : [name]));
  };
}

async function tryAgain(): Promise<void> {
  await requeueDeletions(app.services);
  app.services.queue.announce(deletionJobs);
}

const kept = () => app.services.database.sql.selectFrom('deletion_banks').selectAll().execute();
const patient = { timeout: 15_000 };

test('the deletion of an account closes its consents at Enable Banking, once it answers', async () => {
  const worker = await startWorker(app.services);
  onTestFinished(() => worker.stop());
  enable.control.addFault({ kind: 'status', status: 503, path: '/sessions/' });
  const session = await linkNew();
  const done = await leave();
  await expect.poll(done, patient).toEqual(['data', 'chat']);
  expect(session?.status).toBe('AUTHORIZED');
  expect(await kept()).toHaveLength(1);
  // Down for days, while the secret of the installation is changed as well.
  const [{ database, vault }, secrets] = [app.services, app.services.configuration.appSecrets];
  vault.replaceSecrets(['the one after it', ...secrets]);
  await resealEverything({ database, vault }, sealedColumns);
  vault.replaceSecrets(['the one after it']);
  clock.advance({ days: 3 });
  enable.control.clearRequests();
  await tryAgain();
  await expect.poll(() => enable.control.requests().length, patient).toBeGreaterThan(0);
  expect(await done()).toEqual(['data', 'chat']);
  enable.control.clearFaults();
  clock.advance({ hours: 7 });
  await tryAgain();
  await expect.poll(done, patient).toEqual(['data', 'bank', 'chat']);
  vault.replaceSecrets(secrets);
  expect(session?.status).toBe('CLOSED');
  expect(await kept()).toEqual([]);
});

test('a consent that is exchanged while its account is deleted is closed again', async () => {
  const worker = await startWorker(app.services);
  onTestFinished(() => worker.stop());
  await linkNew();
  const { length } = enable.control.sessions();
  const page = (await ana.post(`${source}/pages`, { bank: 'FR/Crédit Coopérant' })).body;
  enable.control.clearRequests();
  enable.control.addFault({ kind: 'delay', ms: 1_500, path: '/sessions', times: 1 });
  const back = comeBack(page.redirect_url, 'allow');
  const isAsked = () => enable.control.requests().some(({ path }) => path === '/sessions');
  await expect.poll(isAsked, patient).toBe(true);
  const done = await leave();
  await back;
  const made = enable.control.sessions().slice(length);
  expect(made.map(({ status }) => status)).toEqual(['CLOSED']);
  await expect.poll(done, patient).toEqual(['data', 'bank', 'chat']);
});

test.for([
  [
    'Enable Banking is not configured any more',
    () => {
      const sources = app.services.bankSources as Map<string, BankSource>;
      const source = sources.get('enablebanking');
      sources.delete('enablebanking');
      return () => void (source && sources.set('enablebanking', source));
    },
  ],
  [
    'the key of the installation is lost',
    () => {
      app.services.vault.replaceSecrets(['another one']);
      return () => app.services.vault.replaceSecrets(app.services.configuration.appSecrets);
    },
  ],
] as const)('where %s, the deletion waits until the consents have ended', async ([, lose]) => {
  const session = await linkNew();
  onTestFinished(lose());
  const done = await leave();
  const worker = await startWorker(app.services);
  onTestFinished(() => worker.stop());
  await expect.poll(done, patient).toEqual(['data', 'chat']);
  clock.advance({ days: 179 });
  const before = clock.now().toISOString();
  await tryAgain();
  const triedAt = async () => {
    const { rows } = await sql<{ at: Date | null }>`select max(tried_at) as at from deletions
      where mailed_at is null`.execute(app.services.database.sql);
    return rows[0]?.at?.toISOString();
  };
  await expect.poll(triedAt, patient).toBe(before);
  expect(await kept()).toHaveLength(1);
  clock.advance({ days: 2 });
  expect(Date.parse(session?.validUntil ?? '')).toBeLessThan(clock.now().getTime());
  await tryAgain();
  await expect.poll(done, patient).toEqual(['data', 'bank', 'chat']);
  expect(await kept()).toEqual([]);
});
