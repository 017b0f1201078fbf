import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Me, NameChange, Signup, User } from '../../../shared/contract/users.ts';
import { presentMessenger } from '../../notifications/messengers/presentation.ts';
import { listMessengers } from '../../notifications/messengers/queries.ts';
import { Refusal } from '../../platform/http/api-error.ts';
import { sendConfirmation } from '../accounts/confirmation.ts';
import type { IdentityDeps } from '../deps.ts';
import { ownerOf, profileOf, requireUser } from '../sessions/authentication.ts';
import { attempt } from '../throttling/attempt.ts';
import { readAccountState } from './account-state.ts';
import { isAcceptablePassword } from './password-policy.ts';
import { insertUser, isEmailTaken, renameUser } from './queries.ts';

export function userRoutes(parts: IdentityDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/users',
      {
        config: {
          isPublic: true,
          refusals: ['Account_Password_Invalid', 'Email_Already_Exists', 'Too_Many_Requests'],
        },
        schema: { summary: 'Créer un compte', body: Signup, response: { 201: User } },
      },
      async ({ body, ip }, reply) => reply.code(201).send(await signUp(parts, body, ip)),
    );

    app.get(
      '/users/me',
      {
        onRequest: requireUser(parts),
        schema: { summary: 'Le profil et ses notifications', response: { 200: Me } },
      },
      async (request) => {
        const user = profileOf(request);
        const now = parts.clock.now();
        const [rows, state] = await Promise.all([
          listMessengers(parts, user.id),
          readAccountState(parts, user.id),
        ]);
        return { ...user, ...state, messengers: rows.map((row) => presentMessenger(row, now)) };
      },
    );

    app.patch(
      '/users/me',
      {
        onRequest: requireUser(parts),
        schema: {
          summary: 'Changer de prénom ou de nom',
          body: NameChange,
          response: { 200: User },
        },
      },
      (request) => renameUser(parts, ownerOf(request), request.body),
    );
  };
}

/** The address is looked up before hashing: a known one costs nobody 19 MiB. */
async function signUp(
  parts: IdentityDeps,
  { password, ...person }: Signup,
  address: string,
): Promise<User> {
  if (!isAcceptablePassword(password)) throw new Refusal('Account_Password_Invalid');
  return await attempt(parts, 'sign-up', { address }, async () => {
    if (await isEmailTaken(parts, person.email)) throw new Refusal('Email_Already_Exists');
    const passwordHash = await parts.passwords.hash(password);
    const user = await parts.database.sql.transaction().execute(async (sql) => {
      const inserted = await insertUser(parts, sql, { ...person, passwordHash });
      if (!inserted) throw new Refusal('Email_Already_Exists');
      const { id: userId, email } = inserted;
      await sendConfirmation(parts, sql, { userId, email, now: parts.clock.now() });
      return inserted;
    });
    parts.queue.announce('mails');
    return user;
  });
}
