import type { Variations } from '../service/variations.ts';

export interface Bank {
  id: number;
  name: string;
  group: string;
  /** What the page says under the name. */
  kind: string;
  colour: string;
}

/** Invented: names a French bank could bear, and none does. */
export const banks: readonly Bank[] = [
  bank(574, 'Banque du Littoral', 'Groupe Littoral', 'Particuliers', '#1f5fbf'),
  bank(601, 'Crédit Coopérant', 'Crédit Coopérant', 'Particuliers et entreprises', '#0f7a5a'),
  bank(602, 'Caisse des Trois Vallées', 'Groupe Alpages', 'Banque régionale', '#a4461f'),
  bank(603, 'Comptoir Lyonnais', 'Groupe Alpages', 'Banque régionale', '#8a1c4a'),
  bank(604, 'Néo Pécule', 'Pécule SAS', 'Banque en ligne', '#5b3fc4'),
  bank(605, 'Banque Ardoise Pro', 'Groupe Ardoise', 'Entreprises', '#3c4657'),
];

export function findBank(id: number | null): Bank | undefined {
  return banks.find((one) => one.id === id);
}

type Row = { id: number } & Record<string, unknown>;

/** A field that is empty may be left out, and new ones come. */
export function presentBank(one: Bank, variations: Variations): Row {
  const { id, name } = one;
  const row = {
    id,
    name,
    group_name: one.group,
    country_code: 'FR',
    images: { logo: `https://web.bankin.invalid/img/banks-logo/${one.id}.png` },
    capabilities: ['aggregation', 'account_check'],
    aggregation_metadata: { release_status: 'general_availability' },
    health_status: { aggregation: { status: 'healthy' } },
  };
  return variations.pick<Row>('fields of a bank', [
    row,
    { ...row, novelty: [1, { deep: true }] },
    { id, name },
  ]);
}

function bank(id: number, name: string, group: string, kind: string, colour: string): Bank {
  return { id, name, group, kind, colour };
}
