import { expect, test } from 'vitest';
import {
  isStale,
  itemStateOf,
  PRO_VALIDATION_STATUS,
  STALE_WARNING,
} from '../../src/shared/banks/item-states.ts';

const update = 'Mettre à jour la connexion';

test.for([
  [0, null, 'none', null],
  [1009, null, 'none', null],
  [-2, 'Synchronisation en cours…', 'none', null],
  [-3, 'Synchronisation en cours…', 'none', null],
  [402, 'La banque refuse vos identifiants.', 'edit', update],
  [
    429,
    'La banque attend une action de votre part sur son site, puis reconnectez-la ici.',
    'reconnect',
    'Reconnecter',
  ],
  [
    430,
    'La banque attend une action de votre part sur son site, puis reconnectez-la ici.',
    'reconnect',
    'Reconnecter',
  ],
  [1003, "La banque ne répond pas. Nous réessayons, vous n'avez rien à faire.", 'none', null],
  [1005, "Cette banque ou ce mode de connexion n'est pas pris en charge.", 'delete', 'Supprimer'],
  [1007, 'Mise à jour suspendue par le service bancaire, reprise automatique.', 'none', null],
  [1099, 'Mise à jour suspendue par le service bancaire, reprise automatique.', 'none', null],
  [1010, "Votre autorisation d'accès a expiré.", 'reconnect', 'Reconnecter ma banque'],
  [
    PRO_VALIDATION_STATUS,
    'Ce compte nécessite une validation professionnelle.',
    'pro',
    'Validation pro',
  ],
  [1234, 'Connexion à vérifier.', 'edit', update],
] as const)('a connection in state %d says what to do', ([status, sentence, action, label]) => {
  expect(itemStateOf(status, '  ')).toMatchObject({ sentence, action, label });
});

test('a bank that is silent does not say beside the stale warning that nothing is to be done', () => {
  expect(itemStateOf(1003, null, true)).toEqual({
    ...itemStateOf(1003, null),
    sentence: 'La banque ne répond pas. Nous réessayons.',
  });
  expect(itemStateOf(1007, null, true)).toBe(itemStateOf(1007, null));
});

test('an unknown state is told in the words of the provider', () => {
  expect(itemStateOf(1234, 'Votre banque a fermé ce service.').sentence).toBe(
    'Votre banque a fermé ce service.',
  );
  expect(itemStateOf(402, 'Wrong password').sentence).toBe('La banque refuse vos identifiants.');
});

test('only a synchronisation under way makes the card ask again', () => {
  const refreshing = [0, -2, -3, 402, 1003, 1010, 1099].filter(
    (status) => itemStateOf(status, null).refreshing,
  );
  expect(refreshing).toEqual([-2, -3]);
});

test('data is stale after two days, by the oldest account', () => {
  const now = new Date('2026-03-04T08:00:00Z');
  const exactly = '2026-03-02T08:00:00.000Z';
  const over = '2026-03-02T07:59:59.000Z';
  expect(isStale(0, [now.toISOString(), exactly], now)).toBe(false);
  expect(isStale(0, [now.toISOString(), over], now)).toBe(true);
  expect(isStale(0, [], now)).toBe(false);
  expect(STALE_WARNING).toContain('bouton Editer');
});

test('an account that was never updated is stale, unless its first update is under way', () => {
  const now = new Date('2026-03-04T08:00:00Z');
  expect(isStale(1003, [now.toISOString(), null], now)).toBe(true);
  expect(isStale(-2, [null], now)).toBe(false);
});
