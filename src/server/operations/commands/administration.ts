import { passwordAddress } from '../../identity/one-time-links/addresses.ts';
import { createLink } from '../../identity/one-time-links/queries.ts';
import { removeSecondFactor } from '../../identity/second-factor/removal.ts';
import { findCredentials } from '../../identity/users/queries.ts';
import type { Platform } from '../../platform/platform.ts';
import { requestDeletion } from '../../privacy/deletion/requesting.ts';

/**
 * What an operator does to an account from the command line. Each takes the address a person signs
 * in with, and answers null or false when nobody has it.
 */
type Needed = Pick<
  Platform,
  'database' | 'clock' | 'randomness' | 'configuration' | 'vault' | 'queue'
>;

export interface ListedUser {
  email: string;
  firstname: string;
  lastname: string;
  createdAt: Date;
  emailConfirmed: boolean;
  secondFactor: boolean;
  messengers: number;
}

/** Everyone, by address. */
export async function listUsers({ database }: Pick<Platform, 'database'>): Promise<ListedUser[]> {
  const rows = await database.sql
    .selectFrom('users')
    .leftJoin('second_factors', 'second_factors.user_id', 'users.id')
    .select(['email', 'firstname', 'lastname', 'users.created_at', 'email_confirmed_at'])
    .select(['second_factors.confirmed_at as second_factor_at'])
    .select((from) =>
      from
        .selectFrom('messengers')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('messengers.user_id', '=', 'users.id')
        .as('messengers'),
    )
    .where('email', '<>', '')
    .orderBy('email_key')
    .execute();
  return rows.map((row) => ({
    email: row.email,
    firstname: row.firstname,
    lastname: row.lastname,
    createdAt: row.created_at,
    emailConfirmed: row.email_confirmed_at !== null,
    secondFactor: row.second_factor_at !== null,
    messengers: Number(row.messengers),
  }));
}

/** To be handed to the person: a new password within thirty minutes, once. It confirms no address. */
export async function makeResetLink(deps: Needed, email: string): Promise<string | null> {
  const user = await findCredentials(deps, email);
  if (!user) return null;
  const token = await createLink(deps, deps.database.sql, {
    userId: user.id,
    purpose: 'password',
    email: null,
    now: deps.clock.now(),
  });
  return passwordAddress(deps.configuration, token);
}

/** Where no mail leaves, the operator vouches for the address: its pages for operators then open. */
export async function vouchForEmail(deps: Needed, email: string): Promise<boolean> {
  const user = await findCredentials(deps, email);
  if (!user) return false;
  await deps.database.sql
    .updateTable('users')
    .set({ email_confirmed_at: deps.clock.now() })
    .where('id', '=', user.id)
    .where('email_confirmed_at', 'is', null)
    .execute();
  return true;
}

/** For whoever lost both the authenticator and the recovery codes. False also when none was on. */
export async function liftSecondFactor(deps: Needed, email: string): Promise<boolean> {
  const user = await findCredentials(deps, email);
  return user !== null && (await removeSecondFactor(deps, user.id));
}

/** A running worker does it. Returns the receipt, readable at `/api/accounts/deletions/{receipt}`. */
export async function deleteUser(deps: Needed, email: string): Promise<string | null> {
  const user = await findCredentials(deps, email);
  return user && (await requestDeletion(deps, user.id));
}
