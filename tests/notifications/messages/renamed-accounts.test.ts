import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BankReading } from '../../../src/server/providers/banks/port.ts';
import { addNotification } from '../../banking/customer.ts';
import { linkScriptedSource } from '../../banking/scripted-source.ts';
import { type Application, startApplicationOn } from '../../support/application.ts';
import { engines } from '../../support/engines.ts';

describe.each(engines)('a text goes on to mean its account, on %s:', (engine) => {
  let app: Application;
  let bank: Awaited<ReturnType<typeof openBank>>;
  beforeAll(async () => {
    app = await startApplicationOn(engine);
  });
  beforeEach(async () => {
    bank = await openBank(app);
  });
  afterAll(() => app.close());

  test('when another bank with an account of that name is added', async () => {
    await bank.reads({ a: ['Banque du Littoral', 'Compte courant'] });
    await bank.writes('Il reste {{solde:compte courant}}.');
    await bank.reads({
      a: ['Banque du Littoral', 'Compte courant'],
      b: ['Crédit des Cimes', 'Compte courant'],
    });
    expect(await bank.text()).toBe('Il reste {{solde:Banque du Littoral/Compte courant}}.');
  });

  test('when the bank calls it otherwise', async () => {
    await bank.reads({ a: ['Banque du Littoral', 'Compte courant'] });
    await bank.writes('{{solde:Compte courant}} et {{solde:Banque du Littoral/Compte courant}}');
    await bank.reads({ a: ['Littoral', 'Compte pro'] });
    expect(await bank.text()).toBe('{{solde:Compte pro}} et {{solde:Compte pro}}');
  });

  test('when an account of that name takes the place of one, it means that', async () => {
    await bank.reads({ a: ['Banque du Littoral', 'Compte courant'] });
    await bank.writes('{{solde:Compte courant}}');
    await bank.reads({ b: ['Crédit des Cimes', 'Compte courant'] });
    expect(await bank.text()).toBe('{{solde:Compte courant}}');
  });
});

/** A person whose bank accounts are what each reading says, with a notification. */
async function openBank(app: Application) {
  const { person, read } = await linkScriptedSource(app);
  const messenger = await addNotification(app, person, { message: 'Bonjour' });
  return {
    /** The bank and the name of each account, by the source's ids. */
    async reads(accounts: Record<string, [bank: string, name: string]>): Promise<void> {
      app.clock.advance({ minutes: 5 });
      await read(readingOf(accounts));
    },
    async writes(message: string): Promise<void> {
      expect((await person.patch(`/messengers/${messenger}`, { message })).status).toBe(200);
    },
    async text(): Promise<string> {
      const { body } = await person.get('/users/me');
      return body.messengers.find((one: { id: string }) => one.id === messenger).message;
    },
  };
}

function readingOf(accounts: Record<string, [bank: string, name: string]>): BankReading {
  const told = { code: null, description: null, authenticationExpiresAt: null };
  const listed = Object.entries(accounts).map(([id, [bankName, name]]) => ({
    ...{ id, connectionId: `of ${id}`, name, type: 'checking' },
    bank: { id: null, name: bankName },
    balance: { minor: 100, currency: 'EUR', kind: 'booked' as const, asOf: null },
  }));
  return {
    connections: listed.map(({ connectionId, bank }) => ({
      ...{ id: connectionId, state: 'ok', bank, lastSuccessfulRefresh: null, ...told },
    })),
    accounts: listed,
  };
}
