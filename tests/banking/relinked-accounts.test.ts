import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BankReading } from '../../src/server/providers/banks/port.ts';
import { type Application, startApplicationOn } from '../support/application.ts';
import { engines } from '../support/engines.ts';
import { linkScriptedSource } from './scripted-source.ts';

describe.each(engines)('a bank that is linked anew, on %s:', (engine) => {
  let app: Application;
  let bank: Awaited<ReturnType<typeof openBank>>;
  beforeAll(async () => {
    app = await startApplicationOn(engine);
  });
  beforeEach(async () => {
    bank = await openBank(app);
  });
  afterAll(() => app.close());

  test('accounts of one number are found again by their names', async () => {
    const { Courant, Travaux } = await bank.lists({ a: 'Courant', b: 'Travaux' });
    // The one that comes first now had the greater number.
    expect(await bank.lists({ d: 'Travaux', c: 'Courant' })).toEqual({ Courant, Travaux });
  });

  test('one account of a number is found again under another name', async () => {
    const { Courant: number } = await bank.lists({ a: 'Courant' });
    expect(await bank.lists({ b: 'Compte joint' })).toMatchObject({ 'Compte joint': number });
  });

  test('one of several accounts of a number is not taken for another', async () => {
    const { Courant, Travaux } = await bank.lists({ a: 'Courant', b: 'Travaux' });
    expect(await bank.lists({ c: 'Travaux' })).toMatchObject({ Travaux });
    const { Courant: later } = await bank.lists({ c: 'Travaux', d: 'Courant' });
    expect(later).toBe(Courant);
  });

  test('accounts of one number whose names are new are new', async () => {
    const before = await bank.lists({ a: 'Courant', b: 'Travaux' });
    const { Un, Deux } = await bank.lists({ c: 'Un', d: 'Deux' });
    expect(Object.values(before)).not.toContain(Un);
    expect(Object.values(before)).not.toContain(Deux);
  });

  test('the others of a number stay as they are while one gets another id', async () => {
    const before = await bank.lists({ a: 'Courant', b: 'Travaux' });
    expect(await bank.lists({ a: 'Courant', c: 'Travaux' })).toEqual(before);
  });
});

/** A person with a bank whose accounts all have one number. */
async function openBank(app: Application) {
  const { database } = app.services;
  const { person, read } = await linkScriptedSource(app);
  return {
    /** Reads these names by the source's ids, and returns our numbers by the names. */
    async lists(names: Record<string, string>): Promise<Record<string, number>> {
      app.clock.advance({ minutes: 5 });
      await read(readingOf(names));
      const rows = await database.sql
        .selectFrom('bank_accounts')
        .select(['name', 'id'])
        .where('user_id', '=', person.id)
        .where('source_id', 'in', Object.keys(names))
        .execute();
      return Object.fromEntries(rows.map(({ name, id }) => [name, id]));
    },
  };
}

function readingOf(names: Record<string, string>): BankReading {
  const bank = { id: null, name: 'Banque du Littoral' };
  const told = { code: null, description: null, authenticationExpiresAt: null };
  const [first] = Object.keys(names);
  const connectionId = `connection ${first}`;
  return {
    connections: [{ id: connectionId, state: 'ok', bank, lastSuccessfulRefresh: null, ...told }],
    accounts: Object.entries(names).map(([id, name]) => ({
      ...{ id, connectionId, name, type: 'checking', bank },
      number: 'FR7630002005500000157841Z25',
      balance: { minor: 100, currency: 'EUR', kind: 'booked', asOf: null },
    })),
  };
}
