import type { Signup, User } from '../../shared/contract/users.ts';
import { call } from '../api/call.ts';
import { textOf } from '../design/form.ts';

export function createUser(signup: Signup): Promise<User> {
  return call<User>('POST', '/users', { body: signup });
}

/** The checkbox is required by the form: nothing is sent before it is ticked. */
export function signupOf(form: FormData): Signup {
  return {
    email: textOf(form, 'email'),
    password: textOf(form, 'password'),
    firstname: textOf(form, 'firstname'),
    lastname: textOf(form, 'lastname'),
    cguValidated: true,
  };
}
