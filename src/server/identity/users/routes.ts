import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { NameChange, Signup, User } from '../../../shared/contract/users.ts';
import { inTransaction } from '../../platform/database/transactions.ts';
import { sendConfirmation } from '../accounts/email.ts';
import type { IdentityDeps } from '../deps.ts';
import { identityErrors, passwordRefusals, takenAddress, unacceptablePassword } from '../errors.ts';
import { mailJobs } from '../jobs.ts';
import { requireUser, userIdOf } from '../sessions/authentication.ts';
import { throttled } from '../throttling/throttling.ts';
import { isAcceptablePassword } from './password-policy.ts';
import { findCredentials, insertUser, mailboxKey, type NewUser, renameUser } from './queries.ts';

export function userRoutes(deps: IdentityDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/users',
      {
        config: {
          isPublic: true,
          errors: [...passwordRefusals, identityErrors.Email_Already_Exists],
        },
        schema: { summary: 'Créer un compte', body: Signup, response: { 201: User } },
      },
      async ({ body, ip }, reply) => reply.code(201).send(await signUp(deps, body, ip)),
    );

    app.patch(
      '/users/me',
      {
        onRequest: requireUser(deps),
        schema: {
          summary: 'Changer de prénom ou de nom',
          body: NameChange,
          response: { 200: User },
        },
      },
      (request) => renameUser(deps, userIdOf(request), request.body),
    );
  };
}

/**
 * Counts the try before anything is computed from what was typed, and looks the address up before
 * hashing, so that a known one does not cost 19 MiB.
 */
async function signUp(
  deps: IdentityDeps,
  { password, ...person }: Signup,
  ip: string,
): Promise<User> {
  return await throttled(deps, 'sign-up', { ip }, async () => {
    if (!isAcceptablePassword(password)) throw unacceptablePassword();
    if (await findCredentials(deps, person.email)) throw takenAddress();
    const key = { mailbox: mailboxKey(person.email), ip };
    return await throttled(deps, 'mail-to-mailbox', key, async () => {
      const passwordHash = await deps.passwords.hash(password);
      return await createAccount(deps, { ...person, passwordHash });
    });
  });
}

async function createAccount(deps: IdentityDeps, person: NewUser): Promise<User> {
  const user = await inTransaction(deps.database.sql, async (transaction) => {
    const inserted = await insertUser(deps, transaction, person);
    if (!inserted) throw takenAddress();
    const { id: userId, email } = inserted;
    await sendConfirmation(deps, transaction, { userId, email, now: deps.clock.now() });
    return inserted;
  });
  deps.queue.announce(mailJobs);
  return user;
}
