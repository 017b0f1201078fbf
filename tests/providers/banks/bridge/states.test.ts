import { expect, test } from 'vitest';
import { stateOf } from '../../../../src/server/providers/banks/bridge/states.ts';
import { noticeOf } from '../../../../src/server/providers/banks/notices.ts';

const update = 'Mettre à jour la connexion';

test.for([
  [0, null, null, null],
  [1009, null, null, null],
  [-2, 'Synchronisation en cours…', null, null],
  [-3, 'Synchronisation en cours…', null, null],
  [402, 'La banque refuse vos identifiants.', 'edit', update],
  [
    429,
    'La banque attend une action de votre part sur son site, puis reconnectez-la ici.',
    'edit',
    'Reconnecter',
  ],
  [
    430,
    'La banque attend une action de votre part sur son site, puis reconnectez-la ici.',
    'edit',
    'Reconnecter',
  ],
  [1003, "La banque ne répond pas. Nous réessayons, vous n'avez rien à faire.", null, null],
  [1005, "Cette banque ou ce mode de connexion n'est pas pris en charge.", 'delete', 'Supprimer'],
  [1007, 'Mise à jour suspendue par le service bancaire, reprise automatique.', null, null],
  [1099, 'Mise à jour suspendue par le service bancaire, reprise automatique.', null, null],
  [1010, "Votre autorisation d'accès a expiré.", 'edit', 'Reconnecter ma banque'],
  [1100, 'Ce compte nécessite une validation professionnelle.', 'confirm', 'Validation pro'],
  [1234, 'Connexion à vérifier.', 'edit', update],
] as const)('a connection in state %d says what to do', ([status, sentence, kind, label]) => {
  const said = noticeFor(status, '  ');
  expect(said?.sentence ?? null).toBe(sentence);
  expect(said?.action ?? null).toEqual(kind && { kind, label });
});

test('an unknown state is told in the words of the provider', () => {
  expect(noticeFor(1234, 'Votre banque a fermé ce service.')?.sentence).toBe(
    'Votre banque a fermé ce service.',
  );
  expect(noticeFor(402, 'Wrong password')?.sentence).toBe('La banque refuse vos identifiants.');
});

test('only a synchronisation under way makes the card ask again', () => {
  const refreshing = [0, -2, -3, 402, 1003, 1010, 1099].filter(
    (status) => stateOf(status) === 'refreshing',
  );
  expect(refreshing).toEqual([-2, -3]);
});

function noticeFor(status: number, description: string | null = null) {
  return noticeOf({ state: stateOf(status), description });
}
