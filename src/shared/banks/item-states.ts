/** What a person reads about a connection's state and the one thing to do about it. */
export interface ItemState {
  /** Null when there is nothing to say. */
  sentence: string | null;
  action: ItemAction;
  /** Set exactly when `action` is not `none`. */
  label: string | null;
  /** The provider is at work: the card asks again by itself. */
  refreshing: boolean;
}

/**
 * `edit` and `reconnect` open the connection's page at the provider, `pro` its professional
 * validation, `delete` asks whether to remove it.
 */
export type ItemAction = 'none' | 'edit' | 'reconnect' | 'delete' | 'pro';

/**
 * Status codes of docs.bridgeapi.io/docs/items-status; unknown ones say what the provider says. What
 * stands above the stale warning does not say that there is nothing to do.
 */
export function itemStateOf(
  status: number,
  description: string | null,
  isStale = false,
): ItemState {
  const known = isStale && status === SILENT ? silentAndStale : states.get(status);
  if (known) return known;
  return state(
    description?.trim() || 'Connexion à vérifier.',
    'edit',
    'Mettre à jour la connexion',
  );
}

/** A business account whose holder has not yet certified it (specification §9). */
export const PRO_VALIDATION_STATUS = 1100;

/** Older data carries a warning (specification §9). */
export const STALE_AFTER_MS = 2 * 24 * 60 * 60 * 1000;

export const STALE_WARNING =
  'Les données de cette banque ne sont peut-être plus à jour. Vérifiez ses paramètres avec le bouton Editer.';

/**
 * One warning per bank, by its oldest account. An account that was never updated counts as oldest,
 * except during a synchronisation, which is about to say more. `updates` are ISO 8601 dates.
 */
export function isStale(status: number, updates: readonly (string | null)[], now: Date): boolean {
  if (itemStateOf(status, null).refreshing) return false;
  return updates.some((update) => !update || now.getTime() - Date.parse(update) > STALE_AFTER_MS);
}

const ok = state(null);
const refreshing: ItemState = { ...state('Synchronisation en cours…'), refreshing: true };
const acting = state(
  'La banque attend une action de votre part sur son site, puis reconnectez-la ici.',
  'reconnect',
  'Reconnecter',
);
const suspended = state('Mise à jour suspendue par le service bancaire, reprise automatique.');

const SILENT = 1003;
const silentAndStale = state('La banque ne répond pas. Nous réessayons.');

const states = new Map<number, ItemState>([
  [0, ok],
  [1009, ok],
  [-2, refreshing],
  [-3, refreshing],
  [402, state('La banque refuse vos identifiants.', 'edit', 'Mettre à jour la connexion')],
  [429, acting],
  [430, acting],
  [SILENT, state("La banque ne répond pas. Nous réessayons, vous n'avez rien à faire.")],
  [
    1005,
    state("Cette banque ou ce mode de connexion n'est pas pris en charge.", 'delete', 'Supprimer'),
  ],
  [1007, suspended],
  [1099, suspended],
  [1010, state("Votre autorisation d'accès a expiré.", 'reconnect', 'Reconnecter ma banque')],
  [
    PRO_VALIDATION_STATUS,
    state('Ce compte nécessite une validation professionnelle.', 'pro', 'Validation pro'),
  ],
]);

function state(
  sentence: string | null,
  action: ItemAction = 'none',
  label: string | null = null,
): ItemState {
  return { sentence, action, label, refreshing: false };
}
