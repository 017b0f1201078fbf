import { expect, it } from 'vitest';
import { errorText } from '../../src/shared/errors/texts.ts';
import { ApiError, failureDetail, failureText, loadingFailure } from '../../src/web/api/failure.ts';

it.each([
  ['User_Not_Found', 'Utilisateur non trouvé'],
  ['Wrong_Credentials', 'Identifiants invalides'],
  ['Account_Password_Invalid', 'Mot de passe invalide'],
  ['Email_Already_Exists', 'Adresse email déjà utilisée'],
  ['Trop de demandes.', 'Trop de demandes.'],
  ['toString', 'toString'],
])('the message %s reads %s', (message, text) => {
  expect(errorText(message)).toBe(text);
});

it('a refusal is shown in its own words, silence as an unknown error', () => {
  expect(failureText(new ApiError(401, 'x', 'Wrong_Credentials'))).toBe('Identifiants invalides');
  expect(failureText(new TypeError('Failed to fetch'))).toBe(
    "Une erreur s'est produite lors de l'opération",
  );
});

it('a general notice carries the explanation of a refusal, but none of our own fault', () => {
  expect(failureDetail(new ApiError(503, 'x', 'Slack dort.'))).toBe('Slack dort.');
  expect(failureDetail(new ApiError(500, 'x', 'Interne.'))).toBeNull();
  expect(failureDetail(new TypeError('Failed to fetch'))).toBeNull();
});

it('what could not be loaded comes by itself only where it does', () => {
  const text = "Vos banques n'ont pas pu être chargées.";
  const told = (code: string) => loadingFailure(text, new ApiError(503, code, 'x'));
  for (const code of ['Database_Unavailable', 'Not_Ready']) {
    expect(told(code)).toMatch(/^Vos banques .* nous réessayons pour vous\.$/);
  }
  expect(told('Bank_Unavailable')).toBe(text);
  expect(loadingFailure(text, null)).toBe(text);
});
