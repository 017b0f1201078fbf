import { isOutage } from '../../platform/database/outage.ts';

/** What the operator is told of a failure of the operating system or of PostgreSQL. */
interface KnownFailure {
  words: string;
  remedy: string;
}

/** Null for a failure that is not known here. */
export function knownFailure(error: unknown): KnownFailure | null {
  const { code = '', message = '', syscall } = Object(error) as Described;
  if (byCode[code]) return byCode[code];
  if (message.includes('does not support SSL')) return withoutEncryption;
  if (!isOutage(error)) return null;
  return syscall === 'connect' || tooLate.test(message) ? isAway : isCut;
}

/** What the database's client says of a connection that was not opened in time. */
const tooLate = /^timeout (exceeded|expired)/;

/** The same as one text. */
export function failureWords(error: unknown): string | null {
  const known = knownFailure(error);
  return known && `${known.words} ${known.remedy}`;
}

interface Described {
  code?: string;
  message?: string;
  syscall?: string;
}

const otherSchema = {
  words: "Le schéma de la base n'est pas celui de cette version.",
  remedy: "Démarrez d'abord cette version : elle met le schéma à jour.",
};
const isRefused = {
  words: 'Le serveur PostgreSQL refuse cet accès.',
  remedy:
    'Vérifiez le nom et le mot de passe dans DATABASE_URL, et que pg_hba.conf accepte cette machine.',
};
const isAway = {
  words: 'La base PostgreSQL ne répond pas.',
  remedy: "Vérifiez qu'elle tourne, et son adresse dans DATABASE_URL.",
};
const isCut = {
  words: 'La connexion à la base a été coupée.',
  remedy: "Si PostgreSQL ou le service a été arrêté, relancez une fois qu'il répond.",
};
const withoutEncryption = {
  words: "Le serveur PostgreSQL n'accepte pas de connexion chiffrée.",
  remedy:
    "Activez SSL sur ce serveur, ou, s'il tourne sur cette machine, retirez sslmode de DATABASE_URL.",
};

const byCode: Record<string, KnownFailure> = {
  '25006': {
    words:
      'La base refuse les écritures : le disque de DATA_DIR est trop plein, ou DATABASE_URL mène à une base en lecture seule.',
    remedy: "Faites de la place, ou donnez l'adresse d'une base qui les accepte.",
  },
  '53100': {
    words: 'La base refuse les écritures : son disque est plein.',
    remedy: 'Faites de la place.',
  },
  '53300': {
    words: "PostgreSQL n'a plus de connexion libre.",
    remedy: 'Fermez celles qui ne servent pas, ou augmentez max_connections.',
  },
  ENOSPC: {
    words: 'Le disque est plein.',
    remedy: 'Faites de la place, puis relancez cette commande.',
  },
  // Of PostgreSQL it is nearly always told as a connection that was terminated.
  EPIPE: {
    words: "Le programme qui lit cette sortie s'est arrêté avant la fin.",
    remedy: 'Relancez cette commande.',
  },
  ECONNREFUSED: isAway,
  ENOTFOUND: isAway,
  ETIMEDOUT: isAway,
  '57P03': isAway,
  '28P01': isRefused,
  '28000': isRefused,
  '3D000': {
    words: "La base que nomme DATABASE_URL n'existe pas.",
    remedy: 'Créez-la (createdb), ou corrigez son nom.',
  },
  '42501': {
    words: "Le compte PostgreSQL de DATABASE_URL n'a pas les droits qu'il faut.",
    remedy: 'Rendez ce compte propriétaire de la base.',
  },
  '42P01': otherSchema,
  '42703': otherSchema,
};
