import { createBankRefreshes } from '../../src/server/banking/refreshing/refreshes.ts';
import type { BankReading, BankSource } from '../../src/server/providers/banks/port.ts';
import type { Application } from '../support/application.ts';

type FigureListener = Application['services']['figureListener'];

/** A source without a service behind it, which is as it is told to be. */
export function scriptedSource(given: Pick<BankSource, 'read'> & Partial<BankSource>): BankSource {
  return {
    ...{ name: 'Script', note: '', credentials: 'person', connect: { kind: 'manual' } },
    policy: { atPageLoad: true, beforeMessage: null },
    removeConnection: async () => null,
    ...given,
  };
}

/** A person linked with a source that gives what each reading is told to. */
export async function linkScriptedSource(
  app: Application,
  figureListener: FigureListener = app.services.figureListener,
) {
  const person = await app.signUp();
  let next: BankReading = { connections: [], accounts: [] };
  const source = scriptedSource({ read: async () => next });
  const link = { user_id: person.id, source: 'script', created_at: app.clock.now() };
  await app.services.database.sql.insertInto('bank_links').values(link).execute();
  const bankSources = new Map([['script', source]]);
  const refreshes = createBankRefreshes({ ...app.services, bankSources, figureListener });
  return {
    person,
    async read(reading: BankReading): Promise<void> {
      next = reading;
      await refreshes.refresh(person.id, 'script');
    },
  };
}
