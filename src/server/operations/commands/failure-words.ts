const otherSchema =
  "Le schéma de la base n'est pas celui de cette version : démarrez-la d'abord, elle le met à jour.";
const isRefused =
  'Le serveur PostgreSQL refuse cet accès : vérifiez le nom et le mot de passe dans DATABASE_URL, et que pg_hba.conf accepte cette machine.';
const isAway = 'La base PostgreSQL ne répond pas (DATABASE_URL).';

/** What the operator is told for a code of the operating system or of PostgreSQL. */
export const wordsByCode: Record<string, string> = {
  '25006':
    'La base refuse les écritures : le disque de DATA_DIR est trop plein, ou DATABASE_URL mène à une base en lecture seule.',
  '53100': 'La base refuse les écritures : son disque est plein.',
  ENOSPC: 'Le disque est plein : faites de la place, puis relancez cette commande.',
  ECONNREFUSED: isAway,
  ENOTFOUND: isAway,
  '57P03': isAway,
  '28P01': isRefused,
  '28000': isRefused,
  '3D000':
    "La base que nomme DATABASE_URL n'existe pas : créez-la (createdb), ou corrigez son nom.",
  '42501':
    "Le compte PostgreSQL de DATABASE_URL n'a pas les droits qu'il faut : il doit posséder la base.",
  '42P01': otherSchema,
  '42703': otherSchema,
};
