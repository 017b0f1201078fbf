import { endingIn, endsSoon } from '../../../shared/banks/consents.ts';
import type { ConnectionState } from '../../../shared/banks/states.ts';
import type { ConnectionNotice } from '../../../shared/contract/banks.ts';
import type { BankConnection } from './port.ts';

/** What a person reads about a connection's state (French), and the one thing to do about it. */
export function noticeOf({
  state,
  description,
}: Pick<BankConnection, 'state' | 'description'>): ConnectionNotice | null {
  if (state === 'unknown') return { ...toCheck, sentence: description?.trim() || toCheck.sentence };
  return notices[state];
}

/** The same about a consent that ends within two weeks; null for any other. */
export function endingNotice(endsAt: Date | null, now: Date): ConnectionNotice | null {
  if (!endsSoon(endsAt, now)) return null;
  return {
    sentence: `L'accès à cette banque se termine ${endingIn(endsAt, now)}.`,
    action: { kind: 'edit', label: 'Renouveler' },
  };
}

const update = { kind: 'edit', label: 'Mettre à jour la connexion' } as const;
const toCheck: ConnectionNotice = { sentence: 'Connexion à vérifier.', action: update };

const notices: Record<Exclude<ConnectionState, 'unknown'>, ConnectionNotice | null> = {
  ok: null,
  refreshing: { sentence: 'Synchronisation en cours…', action: null },
  unreachable: {
    sentence: "La banque ne répond pas. Nous réessayons, vous n'avez rien à faire.",
    action: null,
  },
  limited: { sentence: 'La banque limite les lectures, reprise automatique.', action: null },
  suspended: {
    sentence: 'Mise à jour suspendue par le service bancaire, reprise automatique.',
    action: null,
  },
  renew: {
    sentence: "Votre autorisation d'accès a expiré.",
    action: { kind: 'edit', label: 'Reconnecter ma banque' },
  },
  credentials: { sentence: 'La banque refuse vos identifiants.', action: update },
  'action-at-bank': {
    sentence: 'La banque attend une action de votre part sur son site, puis reconnectez-la ici.',
    action: { kind: 'edit', label: 'Reconnecter' },
  },
  'confirm-accounts': {
    sentence: 'Ce compte nécessite une validation professionnelle.',
    action: { kind: 'confirm', label: 'Validation pro' },
  },
  unsupported: {
    sentence: "Cette banque ou ce mode de connexion n'est pas pris en charge.",
    action: { kind: 'delete', label: 'Supprimer' },
  },
};
