/**
 * Names that choose how a connection ends, as those of Bridge's own Demo Bank
 * (docs.bridgeapi.io/docs/test-the-bridge-connect). Any other name is a success.
 */
export interface Outcome {
  status: number;
  info: string | null;
  /** What the person does between the login and the choice of accounts. */
  proof: 'none' | 'otp' | 'otp_fail' | 'app' | 'app_expiry';
  /** The data stays this old: the bank sends nothing new. */
  staleDays: number | null;
  /** Accounts were read at least once. */
  hasAccounts: boolean;
}

export const offeredLogins = [
  ['success', 'Tout se passe bien'],
  ['otp', 'Un code de confirmation est demandé'],
  ['app2app', "La connexion est à valider dans l'application de la banque"],
  ['stale', 'La connexion réussit, mais les soldes ont plus de deux jours'],
  ['pro', 'Les comptes professionnels sont à valider'],
  ['402', 'La banque refuse les identifiants'],
  ['429', 'La banque attend une action sur son site'],
  ['1003', 'La banque ne répond pas'],
  ['1005', "La banque n'est pas prise en charge"],
  ['1010', "L'autorisation a expiré"],
  ['success.1010', "La connexion réussit, puis l'autorisation expire le lendemain"],
] as const;

/** The names joined by dots, one per day. */
export function planOf(login: string): string[] {
  return /^[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)+$/.test(login) ? login.split('.') : [login];
}

export function outcomeOf(login: string): Outcome {
  const name = login.trim();
  if (name === 'otp') return success({ proof: 'otp' });
  if (name === 'otp_fail') return success({ proof: 'otp_fail' });
  if (name === 'app2app') return success({ proof: 'app' });
  if (name === 'app2app_expiry') return success({ proof: 'app_expiry' });
  if (name === 'stale') return success({ staleDays: 3.5 });
  if (name === 'pro') return success({ status: 1100 });
  const [, code, info] = /^(-?\d{1,4})(?:_([A-Za-z0-9_]+))?$/.exec(name) ?? [];
  return code && Number(code) !== 0 ? failure(Number(code), info) : success({});
}

function success(change: Partial<Outcome>): Outcome {
  return { status: 0, info: 'ok', proof: 'none', staleDays: null, hasAccounts: true, ...change };
}

function failure(status: number, info: string | undefined): Outcome {
  const hasAccounts = ![402, 429, 430, 1005].includes(status);
  return success({
    status,
    info: (info ?? usualInfo[status] ?? '').toLowerCase() || null,
    staleDays: hasAccounts && ![1009, 1100].includes(status) ? 3.5 : null,
    hasAccounts,
  });
}

const usualInfo: Record<number, string> = {
  402: 'wrong_pwd',
  429: 'information_to_review',
  1003: 'bank_is_down',
  1005: 'otp_not_supported',
  1010: 'otp_required',
};

/** `Accept-Language: fr`; nothing for 0, as in the official example. */
export const descriptions: Record<number, string> = {
  [-2]: 'Synchronisation en cours',
  [-3]: 'Synchronisation en cours',
  402: 'Vos identifiants ne sont pas acceptés par la banque.',
  429: 'Votre banque demande une action de votre part sur son site.',
  1003: 'Votre banque est momentanément indisponible.',
  1005: "Ce mode de connexion n'est pas pris en charge.",
  1007: 'La synchronisation est momentanément désactivée.',
  1009: 'Certaines opérations sont incomplètes.',
  1010: 'Une authentification forte est nécessaire.',
  1099: 'Votre connexion est en cours de migration.',
  1100: 'Vos comptes professionnels attendent une validation.',
  1234: 'Votre banque a changé ses conditions : ouvrez sa page.',
};
