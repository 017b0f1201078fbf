import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BankName, BankReading } from '../../src/server/providers/banks/port.ts';
import { type Application, startApplicationOn } from '../support/application.ts';
import { engines } from '../support/engines.ts';
import { linkScriptedSource } from './scripted-source.ts';

const named: BankName = { id: '574', name: 'BNP Paribas' };
const untold: BankName = { id: '574', name: null, unnamed: 'Banque nº 574' };

describe.each(engines)('the names of banks, on %s', (engine) => {
  let app: Application;
  beforeAll(async () => {
    app = await startApplicationOn(engine);
  });
  afterAll(() => app.close());

  test('a stored name stays while the service does not tell it', async () => {
    const { read, names } = await linkedPerson(app);
    await read(named, ['Courant']);
    await read(untold, ['Courant']);
    expect(await names()).toEqual(['BNP Paribas', 'BNP Paribas']);
    // An account that is new has the name of its connection.
    await read(untold, ['Courant', 'Joint']);
    expect(await names()).toEqual(['BNP Paribas', 'BNP Paribas', 'BNP Paribas']);
    await read({ id: '574', name: 'BNP' }, ['Courant', 'Joint']);
    expect(await names()).toEqual(['BNP', 'BNP', 'BNP']);
  });

  test('a bank that never had a name is called by the words of its source until it has', async () => {
    const { read, names } = await linkedPerson(app);
    await read(untold, ['Courant']);
    expect(await names()).toEqual(['Banque nº 574', 'Banque nº 574']);
    await read(named, ['Courant']);
    expect(await names()).toEqual(['BNP Paribas', 'BNP Paribas']);
  });
});

/** A person with one connection at a source that says what it is told to. */
async function linkedPerson(app: Application) {
  const { person, read } = await linkScriptedSource(app);
  return {
    read: (bank: BankName, accounts: string[]) => read(readingOf(bank, accounts)),
    /** Of the connection, then of its accounts. */
    async names() {
      const items = (await person.get('/bridge/items?stored=1')).body;
      const accounts = (await person.get('/bridge/accounts?stored=1')).body;
      return [...items, ...accounts].map(({ bank }) => bank.name);
    },
  };
}

function readingOf(bank: BankName, names: string[]): BankReading {
  const told = { code: null, description: null, authenticationExpiresAt: null };
  const connectionId = 'connection';
  const balance = { minor: 1, currency: 'EUR', kind: 'booked' as const, asOf: null };
  return {
    connections: [{ id: connectionId, state: 'ok', bank, lastSuccessfulRefresh: null, ...told }],
    accounts: names.map((name) => ({
      ...{ id: name, connectionId, name, type: 'checking', bank, balance },
    })),
  };
}
