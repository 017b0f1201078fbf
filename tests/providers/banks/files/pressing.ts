import type { Person } from '../../../support/person.ts';
import { send } from './fixture.ts';

type Names = { bank: string; name: string };
type Shown = Names & { accountId?: number };

/** Each with the day of November 2026 and the balance. */
export const table = (header: string, ...rows: [day: string, balance: string][]) =>
  `${header}\n${rows.map(([day, balance]) => `${day}/11/2026;a;${balance}\n`).join('')}`;

export const previewOf = async (person: Person, file: string, query = {}) =>
  (await send('previews', file, query, person)).body.accounts;

/** As the form sends it: with what it shows, and the names that were typed in the place of others. */
export async function press(person: Person, file: string, typed?: Names[], shown?: Shown[]) {
  const accounts: Shown[] = shown ?? (await previewOf(person, file));
  const names = typed ?? accounts.map(({ bank, name }) => ({ bank, name }));
  const announced = accounts.map(({ accountId = null }) => accountId);
  const { status, body } = await send('statements', file, { names, announced }, person);
  return { status, names, message: body.message as string | undefined };
}

/** Once more, where the form asks for it. */
export async function pressTwice(person: Person, file: string, names: Names[]) {
  const { status } = await press(person, file, names);
  if (status !== 409) throw new Error(`answered ${status}, and asked nothing`);
  return await press(person, file, names, await previewOf(person, file, { names }));
}
