import type { Services } from '../../src/server/app/services.ts';

/** A user without a session. Returns the id. */
export async function addPerson({ database, randomness, clock }: Services): Promise<string> {
  const id = randomness.uuid();
  const email = `${id}@exemple.fr`;
  const now = clock.now();
  await database.sql
    .insertInto('users')
    .values({
      ...{ id, email, email_key: email, firstname: 'Banc', lastname: 'Essai', password_hash: '' },
      ...{ created_at: now, terms_accepted_at: now },
    } as never)
    .execute();
  return id;
}
