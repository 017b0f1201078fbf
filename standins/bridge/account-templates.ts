import type { Account } from './state.ts';

type Template = Omit<Account, 'id' | 'itemId'>;

/** What a person finds at that bank. The amounts differ from one bank to the next. */
export function accountTemplates(providerId: number): Template[] {
  const shift = (providerId % 97) * 1_357;
  const isBusiness = providerId === 605;
  return [
    template(isBusiness ? 'Compte courant professionnel' : 'Compte courant', 'checking', {
      baseCents: 184_236 + shift * 11,
      swingCents: 18_500,
      iban: iban(providerId, 1),
      pro: isBusiness,
    }),
    template(isBusiness ? 'Compte TVA' : 'Compte joint', 'checking', {
      baseCents: 67_205 + shift * 3,
      swingCents: 9_400,
      iban: iban(providerId, 2),
      pro: isBusiness,
      hasAccountingBalance: false,
    }),
    template('Carte à débit différé', 'card', { baseCents: -31_240 - shift, swingCents: 4_200 }),
    template('Livret A', 'savings', { baseCents: 812_000 + shift * 7, swingCents: 500 }),
  ];
}

function template(name: string, type: string, change: Partial<Template>): Template {
  return {
    name,
    type,
    baseCents: 0,
    swingCents: 1_000,
    iban: null,
    shared: true,
    pro: false,
    hasAccountingBalance: true,
    override: {},
    ...change,
  };
}

/** Looks like a French IBAN; its check digits are right, its bank does not exist. */
function iban(providerId: number, rank: number): string {
  const account = `99${String(providerId).padStart(3, '0')}00001${String(rank).padStart(11, '0')}97`;
  const remainder = BigInt(`${account}152700`) % 97n;
  return `FR${String(98n - remainder).padStart(2, '0')}${account}`;
}
