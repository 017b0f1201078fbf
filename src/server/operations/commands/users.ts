import {
  deleteUser,
  liftSecondFactor,
  listUsers,
  makeResetLink,
  vouchForEmail,
} from './administration.ts';
import { type Task, type TaskDeps, TaskRefusal } from './task.ts';

const usage = `npm run user -- list                        qui a un compte
npm run user -- reset-link <e-mail>         un lien, valable 30 minutes, pour un nouveau mot de passe
npm run user -- confirm <e-mail>            se porter garant de l’adresse, sans courrier
npm run user -- lift-second-factor <e-mail> pour qui a perdu téléphone et codes de secours
npm run user -- delete <e-mail>             tout effacer, comme la personne le ferait elle-même`;

/** The operator's hand on accounts. What it prints may open one: it goes to whoever asked alone. */
export const userTask: Task = async function* (deps, [action = '', email = '']) {
  if (action === 'list') yield* list(deps);
  else if (Object.hasOwn(actions, action) && email) {
    const words = await actions[action as keyof typeof actions](deps, email);
    if (words === null) throw new TaskRefusal(`Personne n’a de compte avec l’adresse ${email}.`);
    yield `${words}\n`;
  } else throw new TaskRefusal(usage);
};

async function* list(deps: TaskDeps): AsyncGenerator<string> {
  const users = await listUsers(deps);
  if (users.length === 0) yield 'Aucun compte.\n';
  for (const user of users) {
    const day = user.createdAt.toISOString().slice(0, 10);
    const marks = [
      user.emailConfirmed ? 'adresse confirmée' : 'adresse non confirmée',
      ...(user.secondFactor ? ['second facteur'] : []),
      `${user.messengers} notification${user.messengers > 1 ? 's' : ''}`,
    ];
    yield `${user.email}  (${user.firstname} ${user.lastname}, depuis le ${day} ; ${marks.join(', ')})\n`;
  }
}

/** Null when nobody has the address. */
const actions = {
  async 'reset-link'(deps: TaskDeps, email: string) {
    const link = await makeResetLink({ ...deps, queue: await deps.openQueue() }, email);
    return link && `À remettre à cette personne seule, par un moyen sûr :\n${link}`;
  },
  async confirm(deps: TaskDeps, email: string) {
    const done = await vouchForEmail({ ...deps, queue: await deps.openQueue() }, email);
    return done ? 'L’adresse est confirmée.' : null;
  },
  async 'lift-second-factor'(deps: TaskDeps, email: string) {
    const done = await liftSecondFactor({ ...deps, queue: await deps.openQueue() }, email);
    if (done) return 'Le second facteur est retiré.';
    throw new TaskRefusal('Ce compte n’existe pas, ou n’a pas de second facteur.');
  },
  async delete(deps: TaskDeps, email: string) {
    const receipt = await deleteUser({ ...deps, queue: await deps.openQueue() }, email);
    return receipt && `Le compte est fermé ; un worker efface le reste. Reçu : ${receipt}`;
  },
};
