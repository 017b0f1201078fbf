import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import type { LateUserJob } from '../../src/server/banking/jobs.ts';
import { workOnLateUser } from '../../src/server/operations/late-users.ts';
import { type Fixture, openFixture } from '../identity/accounts/fixture.ts';
import type { Person } from '../support/person.ts';

let app: Fixture;
beforeAll(async () => {
  app = await openFixture();
});
afterEach(() => app.bank.control.clearFaults());
afterAll(() => app.close());

const inTime = { timeout: 15_000, interval: 20 };

async function deleteAccount(person: Person): Promise<void> {
  const body = { currentPassword: person.details.password };
  const { receipt } = (await person.post('/users/me/deletion', body)).body;
  await vi.waitFor(async () => {
    const deletion = (await app.visitor.get(`/accounts/deletions/${receipt}`)).body;
    expect(deletion.doneDate).not.toBeNull();
  }, inTime);
}

/** Registers a person at the bank's service only once their account is deleted. */
async function registerLate(atLast: () => void = () => {}): Promise<Person> {
  const ana = await app.signUp();
  const users = app.services.bankSources.get('bridge')?.users;
  if (!users) throw new Error('no users');
  const { register } = users;
  users.register = async (id) => {
    await deleteAccount(ana);
    atLast();
    return await register(id);
  };
  onTestFinished(() => void Object.assign(users, { register }));
  expect((await ana.get('/bridge/items/connect')).body.code).toBe('User_Not_Found');
  return ana;
}

/** The job that has them removed, once it is in one of these states. */
async function jobOf({ id }: Person, ...states: string[]): Promise<LateUserJob> {
  return await vi.waitFor(async () => {
    const { rows } = await sql<{ data: LateUserJob }>`select data from pgboss.job
      where name = 'bank-late-users' and state::text = any(${states})
        and data->>'userId' = ${id}`.execute(app.services.database.sql);
    return rows[0]?.data ?? Promise.reject(new Error(`no job is ${states.join(' or ')}`));
  }, inTime);
}

/** Their registration, while the bank's service refuses to remove anybody. */
async function registerWhileRefused(): Promise<{ ana: Person; job: LateUserJob }> {
  const fault = { match: 'DELETE /v3/aggregation/users', kind: 'status', status: 503 } as const;
  const ana = await registerLate(() => app.bank.control.addFault({ ...fault, times: null }));
  const job = await jobOf(ana, 'retry');
  return { ana, job };
}

it('a user who is registered only after the deletion is removed at the bank’s service', async () => {
  const ana = await registerLate();
  await vi.waitFor(() => expect(() => app.bank.control.items(ana.id)).toThrow('no user'), inTime);
});

it('a user who is registered so is removed although the answer was lost', async () => {
  const fault = { match: 'POST /v3/aggregation/users', kind: 'drop', posted: true } as const;
  const ana = await registerLate(() => app.bank.control.addFault({ ...fault, times: null }));
  app.bank.control.clearFaults();
  expect(app.bank.control.items(ana.id)).toEqual([]);
  const job = await jobOf(ana, 'created');
  expect(job.providerUserId).toBeNull();
  await workOnLateUser(app.services, job);
  expect(() => app.bank.control.items(ana.id)).toThrow('no user');
});

it('a person whose bank’s service does not answer is told so while there is an account', async () => {
  const ana = await app.signUp();
  const fault = { match: 'POST /v3/aggregation/users', kind: 'drop', posted: true } as const;
  app.bank.control.addFault({ ...fault, times: null });
  const refused = await ana.get('/bridge/items/connect');
  expect([refused.status, refused.body.code]).toEqual([503, 'Bank_Unavailable']);
  app.bank.control.clearFaults();
  expect((await ana.get('/bridge/items/connect')).status).toBe(200);
});

it('the bank’s service is asked again, and the operator is told after a day', async () => {
  const { ana, job } = await registerWhileRefused();
  const { configuration } = app.services;
  configuration.operatorEmails = ['ops@exemple.fr'];
  onTestFinished(() => void Object.assign(configuration, { operatorEmails: [] }));
  const toOperator = () => app.mails.filter(({ to }) => to === 'ops@exemple.fr');
  await expect(workOnLateUser(app.services, job)).rejects.toThrow();
  expect(toOperator()).toEqual([]);
  app.clock.advance({ days: 1 });
  await expect(workOnLateUser(app.services, job)).rejects.toThrow();
  await expect(workOnLateUser(app.services, job)).rejects.toThrow();
  await app.mailTo('ops@exemple.fr', 'encore inscrit chez Bridge');
  expect(toOperator()).toHaveLength(1);
  app.bank.control.clearFaults();
  await workOnLateUser(app.services, job);
  expect(() => app.bank.control.items(ana.id)).toThrow('no user');
});

it('is not taken for done while its service is not configured', async () => {
  const { job } = await registerWhileRefused();
  await expect(workOnLateUser({ ...app.services, bankSources: new Map() }, job)).rejects.toThrow(
    'bridge is not configured',
  );
});
