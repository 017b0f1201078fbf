import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBankTransactionsWork } from '../../../src/server/notifications/transactions/work.ts';
import type { ConfiguredBankSource } from '../../../src/server/providers/banks/definition.ts';
import type { BankSource } from '../../../src/server/providers/banks/port.ts';
import { type Application, startApplication } from '../../support/application.ts';
import { connectSlack } from '../../support/slack.ts';

const [team, channel] = ['T0FONTAINE', 'C0FGENERAL0'];
const released = Promise.withResolvers<void>();
const asked = { silent: 0, quick: 0 };

const silent = configured('silent', () => released.promise);
const quick = configured('quick', async () => {});
let app: Application;
beforeAll(async () => {
  app = await startApplication({ configuration: { bankSources: [silent, quick] } });
  app.clock.set('2026-01-12T07:00:00Z');
});
afterAll(() => app.close());

test('messages of one source are read for while another is silent', async () => {
  for (let person = 0; person < 6; person += 1) await addReader('silent');
  await addReader('quick');
  app.clock.set('2026-01-12T07:58:30Z');
  const work = startBankTransactionsWork(app.services);
  await expect.poll(() => asked, { timeout: 10_000 }).toEqual({ silent: 4, quick: 1 });
  released.resolve();
  await expect.poll(() => asked, { timeout: 10_000 }).toEqual({ silent: 6, quick: 1 });
  await work.stop();
});

/** A person with an account at this source, whose message of 9 o'clock in Paris tells its transactions. */
async function addReader(source: keyof typeof asked): Promise<void> {
  const person = await app.signUp();
  await person.post(`/banks/sources/${source}/connections`, { values: { key: 'une-cle' } });
  const { id } = await connectSlack(app, person, team);
  const change = { message: '{{operations}}', slackChannel: channel, operations: 'sums' };
  expect((await person.patch(`/messengers/${id}`, change)).status).toBe(200);
}

function configured(kind: keyof typeof asked, answer: () => Promise<void>): ConfiguredBankSource {
  const bank = { id: kind, name: `Banque ${kind}` };
  const balance = { minor: 100, currency: 'EUR', kind: 'booked' as const, asOf: null };
  const account = { id: 'a', connectionId: 'c', name: 'Compte', type: 'checking', bank, balance };
  const dates = { lastSuccessfulRefresh: null, authenticationExpiresAt: null };
  const source: BankSource = {
    ...{ name: kind, note: `par ${kind}`, credentials: 'person' },
    connect: {
      ...{ kind: 'form', steps: [], isDemonstration: true, page: null },
      fields: [{ name: 'key', label: 'Clé', secret: true, pattern: '.+', help: '' }],
      check: async () => () => 'une-cle',
      countAccesses: () => 1,
    },
    policy: { atPageLoad: false, beforeMessage: null },
    async read() {
      const connection = { id: 'c', state: 'ok' as const, code: null, description: null };
      return { connections: [{ ...connection, bank, ...dates }], accounts: [account] };
    },
    removeConnection: async () => null,
    async readTransactions() {
      asked[kind] += 1;
      await answer();
      return { transactions: [], unread: [] };
    },
  };
  return {
    ...{ kind, name: kind, apiUrl: '', isReal: false, credentials: null },
    ...{ settings: {}, warnings: [], quota: null, open: () => source },
  };
}
