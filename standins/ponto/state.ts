import { dayMs } from '../service/durations.ts';
import { frenchIban } from '../service/iban.ts';

/** What Ponto holds. Dates are ISO 8601 in UTC, so that the whole state is JSON. */
export interface State {
  organizations: Organization[];
}

/** A company with its integration. */
export interface Organization {
  name: string;
  clientId: string;
  clientSecret: string;
  createdAt: string;
  accounts: Account[];
}

export interface Account {
  id: string;
  institutionId: string;
  description: string | null;
  subtype: string;
  iban: string;
  currency: string;
  /** Cents on the day of the organisation's creation, and the most that they move in a day. */
  baseCents: number;
  swingCents: number;
  deprecated: boolean;
  authorizedAt: string;
  endsAt: string;
  /** When a person pressed a button for it; null when none did. */
  synchronizedAt: string | null;
  /** The code of the error that every try at the bank ends in; null while it answers. */
  bankError: string | null;
  /** Fields of its attributes, and of its `meta`, that tests put in place of the computed ones. */
  override: Record<string, unknown>;
  meta: Record<string, unknown>;
}

export interface Institution {
  id: string;
  name: string;
  country: string;
  status: 'stable' | 'beta' | 'experimental';
  deprecated: boolean;
}

/** Invented: names a bank could bear, and none does. */
export const institutions: readonly Institution[] = [
  institution(1, 'Banque du Littoral - Espace Entreprises'),
  institution(2, 'Crédit Coopérant'),
  institution(3, 'Comptoir Lyonnais Pro', { status: 'beta' }),
  institution(4, 'Banque Ardoise Pro'),
  institution(5, 'Caisse du Vieux Pont', { deprecated: true }),
  institution(6, 'Banque de Meuse', { country: 'BE' }),
];

/** From what was saved, or the two companies that everybody finds. */
export function openState(saved: unknown, now: Date): State {
  const state = saved as Partial<State> | null;
  if (state?.organizations) return { organizations: state.organizations };
  return {
    organizations: [
      organization('Atelier Exemple', 'ponto-atelier', 'secret-demo-atelier', 1, now),
      organization('Studio Exemple', 'ponto-studio', 'secret-demo-studio', 2, now),
    ],
  };
}

export function organization(
  name: string,
  clientId: string,
  clientSecret: string,
  rank: number,
  now: Date,
): Organization {
  const account = (number: number, institutionId: string, given: Partial<Account>): Account => ({
    id: uuid(rank, number),
    institutionId,
    description: null,
    subtype: 'checking',
    iban: iban(rank, number),
    currency: 'EUR',
    baseCents: 815_015 * rank,
    swingCents: 9_000,
    deprecated: false,
    authorizedAt: now.toISOString(),
    endsAt: new Date(now.getTime() + 180 * dayMs).toISOString(),
    synchronizedAt: null,
    bankError: null,
    override: {},
    meta: {},
    ...given,
  });
  const [coast, cooperative] = [institutions[0]?.id ?? '', institutions[1]?.id ?? ''];
  return {
    ...{ name, clientId, clientSecret, createdAt: now.toISOString() },
    accounts: [
      account(1, coast, { description: 'Compte courant pro' }),
      account(2, coast, { description: 'Compte en dollars', currency: 'USD', baseCents: 42_042 }),
      account(3, coast, { description: 'Livret', subtype: 'savings' }),
      account(4, cooperative, { description: 'Compte de la coopérative', baseCents: 99_900 }),
      account(5, cooperative, { description: 'Ancien accès', deprecated: true }),
    ],
  };
}

function institution(number: number, name: string, given: Partial<Institution> = {}): Institution {
  return {
    id: uuid(900, number),
    name,
    country: 'FR',
    status: 'stable',
    deprecated: false,
    ...given,
  };
}

function uuid(rank: number, number: number): string {
  return `2ca42e3a-357b-4dc4-a22f-${String(rank).padStart(6, '0')}${String(number).padStart(6, '0')}`;
}

/** The account does not exist. */
function iban(rank: number, number: number): string {
  return frenchIban(`3000400003${String(rank * 1000 + number).padStart(11, '0')}43`);
}
