import type { NotNull } from 'kysely';
import { createLink, passwordLinkUrl } from '../../identity/one-time-links/one-time-links.ts';
import { removeSecondFactor } from '../../identity/second-factor/enrolment.ts';
import { type Credentials, findCredentials } from '../../identity/users/queries.ts';
import type { Platform } from '../../platform/platform.ts';
import { requestDeletion } from '../../privacy/deletion/requesting.ts';
import { type Task, TaskRefusal } from './task.ts';
import { terminalText } from './terminal-text.ts';

const usage = `npm run user -- list                        tous les comptes
npm run user -- reset-link <email>         un lien, valable 30 minutes, pour un nouveau mot de passe
npm run user -- confirm <email>            confirmer l'adresse, sans email
npm run user -- lift-second-factor <email> quand le téléphone et les codes de secours sont perdus
npm run user -- delete <email>             tout effacer, comme la personne le ferait elle-même`;

/** `list`, or an action and the address of an account. Its output may contain a link that signs in. */
export const userTask: Task = async function* (deps, [action = '', email = '', ...more]) {
  // Of several addresses, one alone would be heeded.
  if (more.length > 0) throw new TaskRefusal(usage);
  if (action === 'list' && !email) yield* list(deps);
  else if (Object.hasOwn(actions, action) && email) {
    const user = await findCredentials(deps, email);
    const act = actions[action as keyof typeof actions];
    const words = user && (await act({ ...deps, queue: await deps.openQueue() }, user));
    if (words === null) throw new TaskRefusal(`Personne n'a de compte avec l'adresse ${email}.`);
    yield `${words}\n`;
  } else throw new TaskRefusal(usage);
};

async function* list(deps: Pick<Platform, 'database'>): AsyncGenerator<string> {
  const users = await listUsers(deps);
  if (users.length === 0) yield 'Aucun compte.\n';
  for (const user of users) {
    const day = user.created_at.toISOString().slice(0, 10);
    const marks = [
      user.email_confirmed_at ? 'adresse confirmée' : 'adresse non confirmée',
      ...(user.second_factor_at ? ['validation en deux étapes'] : []),
      `${user.messengers} notification${user.messengers > 1 ? 's' : ''}`,
    ];
    const name = `${user.firstname} ${user.lastname}`;
    const line = `${user.email}  (${name}, depuis le ${day} ; ${marks.join(', ')})`;
    yield `${terminalText(line)}\n`;
  }
}

type Needed = Pick<
  Platform,
  'database' | 'clock' | 'randomness' | 'configuration' | 'vault' | 'queue'
>;

/** Each returns the text for the operator; null when the account was closed meanwhile. */
const actions = {
  /** A link for a new password, valid once within thirty minutes. Using it does not confirm the address. */
  async 'reset-link'(deps: Needed, { id: userId }: Credentials) {
    const now = deps.clock.now();
    const link = { userId, purpose: 'password', email: null, now } as const;
    const token = await createLink(deps, deps.database.sql, link);
    const url = passwordLinkUrl(deps.configuration, token);
    return `À remettre à cette personne seule, par un moyen sûr :\n${url}`;
  },

  /**
   * Confirms an address without a mail, for installations that send none. It proves nothing about who
   * set up what there is by then.
   */
  async confirm({ database, clock }: Needed, { id }: Credentials) {
    const now = clock.now();
    await database.sql
      .updateTable('users')
      .set({ email_confirmed_at: now, unproven_before: now })
      .where('id', '=', id)
      .where('email_confirmed_at', 'is', null)
      .execute();
    return "L'adresse est confirmée.";
  },

  /** For a person who lost the authenticator and the recovery codes. */
  async 'lift-second-factor'(deps: Needed, { id }: Credentials) {
    if (await removeSecondFactor(deps, id)) return 'La validation en deux étapes est retirée.';
    throw new TaskRefusal("Ce compte n'a pas de validation en deux étapes.");
  },

  /** The receipt is accepted by `/api/accounts/deletions/{receipt}`. A worker does the rest. */
  async delete(deps: Needed, { id }: Credentials) {
    const receipt = await requestDeletion(deps, id);
    return (
      receipt && `Le compte est fermé ; ses données sont en cours de suppression. Reçu : ${receipt}`
    );
  },
};

/** All accounts, by address. */
function listUsers({ database }: Pick<Platform, 'database'>) {
  return database.sql
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
    .$narrowType<{ messengers: NotNull }>()
    .execute();
}
