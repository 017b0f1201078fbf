import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBankRefreshes } from '../../src/server/banking/refreshing/refreshes.ts';
import { BankSourceError } from '../../src/server/providers/banks/failures.ts';
import { files } from '../../src/server/providers/banks/files/definition.ts';
import { manual } from '../../src/server/providers/banks/manual/definition.ts';
import type { BankReading } from '../../src/server/providers/banks/port.ts';
import { type Application, startApplication } from '../support/application.ts';
import type { Person } from '../support/person.ts';
import { scriptedSource } from './scripted-source.ts';

let app: Application;
beforeAll(async () => {
  const bankSources = [files.configure({}) ?? [], manual.configure({}) ?? []].flat();
  app = await startApplication({ configuration: { bankSources } });
});
afterAll(() => app.close());

type Kind = 'script' | 'files' | 'manual';

/** Something that happens some hours after what happened before. */
const step = fc.record({
  hours: fc.integer({ min: 0, max: 40 }),
  kind: fc.constantFrom(
    ...(['read', 'read', 'fail', 'unrenewed', 'renewed'] as const),
    ...(['import', 'import', 'type', 'type', 'take back', 'remove'] as const),
  ),
  minor: fc.integer({ min: -1_000_000, max: 1_000_000 }),
  /** How old the figure is that is read, imported or typed. */
  daysAgo: fc.integer({ min: 0, max: 9 }),
  removed: fc.constantFrom<Kind>('script', 'files', 'manual'),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface Figure {
  minor: number;
  asOf: number;
}

test('no sequence shows a later date than was given, or loses a day but by a deletion', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const model = await startModel();
      for (const one of steps) {
        app.clock.advance({ hours: one.hours });
        await model.apply(one);
        await model.check();
      }
    }),
    { numRuns: 25, seed: 15 },
  );
}, 120_000);

/** A person with one account of each kind, and what each should show. */
async function startModel() {
  const person = await app.signUp();
  /** By kind: the last figure of each day, and every figure that was ever given. */
  const days: Record<Kind, Map<string, Figure>> = {
    ...{ script: new Map(), files: new Map(), manual: new Map() },
  };
  const given = new Set<string>();
  const give = (kind: Kind, day: string, figure: Figure, force = false) => {
    given.add(`${kind} ${figure.minor} ${figure.asOf}`);
    const before = days[kind].get(day);
    if (force || !before || figure.asOf >= before.asOf) days[kind].set(day, figure);
  };
  const read = await linkedSource(person);
  const accountOf = async (kind: Kind) => {
    const items = (await person.get('/bridge/items')).body;
    const names = { script: 'Script', files: 'Fichiers', manual: 'Saisie manuelle' };
    const item = items.find(({ bank }: { bank: { name: string } }) => bank.name === names[kind]);
    const accounts = (await person.get('/bridge/accounts')).body;
    const account = accounts.find((one: { item: { id: number } }) => one.item.id === item?.id);
    return { item, account };
  };
  let renewals = 0;

  async function apply({ kind, minor, daysAgo, removed }: Step): Promise<void> {
    const now = app.clock.now();
    const asOf = new Date(now.getTime() - daysAgo * 86_400_000);
    const day = asOf.toISOString().slice(0, 10);
    const midnight = Date.parse(`${day}T00:00:00Z`);
    switch (kind) {
      case 'read':
      case 'renewed':
        if (kind === 'renewed') renewals += 1;
        give('script', parisDay(asOf), { minor, asOf: asOf.getTime() });
        return await read(() => readingOf(renewals, minor, asOf, false));
      case 'unrenewed':
        // It has nothing to keep before the first figure.
        if (days.script.size === 0) return;
        return await read(() => readingOf(renewals, minor, asOf, true));
      case 'fail':
        return await read(() => {
          throw new BankSourceError('unavailable', 'as told');
        });
      case 'import':
        await importFile(person, minor, day);
        return give('files', day, { minor, asOf: midnight });
      case 'type': {
        const figure = { day, balance: minor / 100 };
        const { account } = await accountOf('manual');
        const path = '/banks/sources/manual/accounts';
        const first = { name: 'Caisse', currency_code: 'EUR', ...figure };
        if (account) await person.patch(`${path}/${account.id}`, { figure });
        else await person.post(path, first);
        const at = day === parisDay(now) ? now.getTime() : midnight;
        return give('manual', day, { minor, asOf: at }, true);
      }
      case 'take back': {
        const { account } = await accountOf('manual');
        if (!account) return;
        const { status } = await person.delete(
          `/banks/sources/manual/accounts/${account.id}/figures/${day}`,
        );
        const isThere = days.manual.has(day);
        const isOnly = days.manual.size === 1;
        if (isThere) expect(status).toBe(isOnly ? 422 : 200);
        else expect(status).toBe(404);
        if (isThere && !isOnly) days.manual.delete(day);
        return;
      }
      case 'remove': {
        const { item } = await accountOf(removed);
        if (!item) return;
        await person.delete(`/bridge/items/${item.id}`);
        days[removed].clear();
      }
    }
  }

  async function check(): Promise<void> {
    for (const kind of ['script', 'files', 'manual'] as const) {
      const { account } = await accountOf(kind);
      expect(Boolean(account)).toBe(days[kind].size > 0);
      if (!account) continue;
      const shown = Date.parse(account.updated_at);
      expect(shown).toBeLessThanOrEqual(app.clock.now().getTime());
      expect(given).toContain(`${kind} ${Math.round(account.balance * 100)} ${shown}`);
      const { body } = await person.get(`/bridge/accounts/${account.id}/balances?days=400`);
      expect(
        body.map((one: { day: string; balance: number; as_of: string }) => [
          ...[one.day, Math.round(one.balance * 100), Date.parse(one.as_of)],
        ]),
      ).toEqual([...days[kind]].sort().map(([day, { minor, asOf }]) => [day, minor, asOf]));
      // What is typed or imported shows the figure of its newest day.
      const newest = [...days[kind]].sort().at(-1)?.[1];
      if (kind !== 'script') expect(Math.round(account.balance * 100)).toBe(newest?.minor);
    }
  }
  return { apply, check };
}

async function linkedSource(person: Person) {
  let next: () => BankReading = () => ({ connections: [], accounts: [] });
  const source = scriptedSource({ read: async () => next() });
  const { sql } = app.services.database;
  const link = { user_id: person.id, source: 'script', created_at: app.clock.now() };
  const bankSources = new Map([['script', source]]);
  const refreshes = createBankRefreshes({ ...app.services, bankSources });
  return async (reading: () => BankReading) => {
    await sql
      .insertInto('bank_links')
      .values(link)
      .onConflict((on) => on.doNothing())
      .execute();
    next = reading;
    await refreshes.refresh(person.id, 'script').catch(() => {});
  };
}

function readingOf(
  generation: number,
  minor: number,
  asOf: Date,
  isUnrenewed: boolean,
): BankReading {
  const connectionId = `connection ${generation}`;
  const bank = { id: null, name: 'Script' };
  return {
    connections: [
      {
        ...{ id: connectionId, state: 'ok', code: null, description: null, bank },
        ...{ lastSuccessfulRefresh: null, authenticationExpiresAt: null },
      },
    ],
    accounts: [
      {
        ...{ id: `account ${generation}`, connectionId, name: 'Compte', type: 'checking', bank },
        number: 'FR7630002005500000157841Z25',
        balance: {
          ...{ minor, currency: 'EUR', kind: 'booked', isUnrenewed },
          asOf: isUnrenewed ? null : asOf,
        },
      },
    ],
  };
}

async function importFile(person: Person, minor: number, day: string): Promise<void> {
  const written = (minor / 100).toFixed(2).replace('.', ',');
  const body = `Date;Libellé;Solde\n${day};a;${written}\n`;
  const names = JSON.stringify([{ bank: 'Fichiers', name: 'Compte' }]);
  const { status } = await person.send(
    'POST',
    `/banks/sources/files/statements?${new URLSearchParams({ names })}`,
    { headers: { 'content-type': 'application/octet-stream' }, body },
  );
  expect(status).toBe(201);
}

function parisDay(at: Date): string {
  return at.toLocaleDateString('sv-SE', { timeZone: 'Europe/Paris' });
}
