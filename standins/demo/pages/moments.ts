const long = new Intl.DateTimeFormat('fr-FR', {
  dateStyle: 'full',
  timeStyle: 'medium',
  timeZone: 'Europe/Paris',
});

/** « lundi 2 mars 2026 à 08:59:59, heure de Paris » */
export function inWords(moment: Date): string {
  return `${long.format(moment).replace(/^(\S+) 1 /, '$1 1er ')}, heure de Paris`;
}
