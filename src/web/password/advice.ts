import { ServerRefusal } from '../api/failure.ts';

/** The server's one refusal has two causes: both are named. */
export function passwordAdvice(failure: unknown): string | null {
  if (!(failure instanceof ServerRefusal) || failure.code !== 'Account_Password_Invalid') {
    return null;
  }
  return "Vérifiez l'actuel\u202f; le nouveau demande 12 caractères au moins et ne doit pas être un mot de passe courant.";
}
