/** The regions with different public holidays, keyed as in the open data of the French state. */
export const regionNames = {
  metropole: 'Métropole',
  'alsace-moselle': 'Alsace-Moselle',
  guadeloupe: 'Guadeloupe',
  martinique: 'Martinique',
  guyane: 'Guyane',
  'la-reunion': 'La Réunion',
  mayotte: 'Mayotte',
  'saint-pierre-et-miquelon': 'Saint-Pierre-et-Miquelon',
  'saint-barthelemy': 'Saint-Barthélemy',
  'saint-martin': 'Saint-Martin',
  'wallis-et-futuna': 'Wallis-et-Futuna',
  'polynesie-francaise': 'Polynésie française',
  'nouvelle-caledonie': 'Nouvelle-Calédonie',
} as const;

export type Region = keyof typeof regionNames;

export function isRegion(name: string): name is Region {
  return Object.hasOwn(regionNames, name);
}
