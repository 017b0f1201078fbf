const otherSchema =
  "Le schéma de la base n'est pas celui de cette version : démarrez-la d'abord, elle le met à jour.";
const isAway = 'La base PostgreSQL ne répond pas (DATABASE_URL).';

/** What the operator is told for a code of the operating system or of PostgreSQL. */
export const wordsByCode: Record<string, string> = {
  '25006':
    'La base refuse les écritures : le disque de DATA_DIR est trop plein, ou DATABASE_URL mène à une base en lecture seule.',
  ECONNREFUSED: isAway,
  ENOTFOUND: isAway,
  '57P03': isAway,
  '42P01': otherSchema,
  '42703': otherSchema,
};
