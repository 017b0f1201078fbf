import { randomUUID } from 'node:crypto';
import type { Messenger, MessengerChange } from '../../../src/shared/contract/messengers.ts';
import type { SessionToken } from '../../../src/shared/contract/sessions.ts';
import type { Me } from '../../../src/shared/contract/users.ts';
import { send } from './api.ts';
import type { Demonstration } from './demonstration.ts';

/** Somebody with an account, who acts on it here as another program of theirs would. */
export interface Person {
  email: string;
  password: string;
  token: string;
  me(): Promise<Me>;
  /** Ends this session on the server, behind the browser's back. */
  logOut(): Promise<void>;
  /** A new notification in a workspace whose bot token is given, or in the current one. */
  addMessenger(slackBotToken?: string): Promise<Messenger>;
  changeMessenger(id: string, change: MessengerChange): Promise<Messenger>;
  deleteMessenger(id: string): Promise<void>;
  /** The same person, signed in once more on another device. */
  signInAgain(device?: string): Promise<Person>;
  /** Any call of the API. */
  call<Answer>(method: string, path: string, body?: unknown): Promise<Answer>;
}

export const password = 'une tirelire bien pleine';

export function newEmail(): string {
  return `${randomUUID()}@exemple.fr`;
}

export async function createPerson(
  { url }: Pick<Demonstration, 'url'>,
  email = newEmail(),
): Promise<Person> {
  const api = `${url}/api`;
  const signup = { email, password, firstname: 'Camille', lastname: 'Durand', cguValidated: true };
  await send('POST', `${api}/users`, { body: signup });
  return personOf(api, { email, token: await signIn(api, email) });
}

async function signIn(api: string, email: string, device?: string): Promise<string> {
  const { token } = await send<SessionToken>('POST', `${api}/accounts/login`, {
    body: { email, password },
    ...(device && { device }),
  });
  return token;
}

function personOf(api: string, { email, token }: Pick<Person, 'email' | 'token'>): Person {
  const call: Person['call'] = (method, path, body) =>
    send(method, api + path, { token, ...(body !== undefined && { body }) });
  return {
    email,
    password,
    token,
    call,
    me: () => call('GET', '/users/me'),
    logOut: () => call('POST', '/accounts/logout'),
    signInAgain: async (device) =>
      personOf(api, { email, token: await signIn(api, email, device) }),
    addMessenger: (slackBotToken) =>
      call('POST', '/messengers', slackBotToken ? { slackBotToken } : {}),
    changeMessenger: (id, change) => call('PATCH', `/messengers/${id}`, change),
    deleteMessenger: (id) => call('DELETE', `/messengers/${id}`),
  };
}
