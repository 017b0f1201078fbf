import { frenchIban } from '../service/iban.ts';

/** An organisation of Qonto with its key. Dates are ISO 8601 in UTC, so that the whole state is JSON. */
export interface Organization {
  id: string;
  slug: string;
  name: string;
  secretKey: string;
  createdAt: string;
  /** The role that made the key sees no money. */
  hidesMoney: boolean;
  accounts: Account[];
}

export interface Account {
  id: string;
  slug: string;
  name: string;
  iban: string;
  /** Cents on the day of the organisation's creation, and the most that they move in a day. */
  baseCents: number;
  swingCents: number;
  status: 'active' | 'closed';
  main: boolean;
  isExternal: boolean;
  /** Fields that tests put in place of the computed ones; undefined leaves one out. */
  override: Record<string, unknown>;
}

export interface State {
  organizations: Organization[];
}

/** From what was saved, or the two organisations that everybody finds. */
export function openState(saved: unknown, now: Date): State {
  const state = saved as Partial<State> | null;
  if (state?.organizations) return { organizations: state.organizations };
  return {
    organizations: [
      organization('atelier-exemple-1234', 'Atelier Exemple', 'cle-demo-atelier', 1, now),
      organization('studio-exemple-5678', 'Studio Exemple', 'cle-demo-studio', 2, now),
    ],
  };
}

export function organization(
  slug: string,
  name: string,
  secretKey: string,
  rank: number,
  now: Date,
): Organization {
  const shown = { status: 'active', isExternal: false, override: {} } as const;
  const account = (number: number, label: string, baseCents: number): Account => ({
    ...shown,
    id: uuid(rank, number),
    slug: `${slug}-bank-account-${number}`,
    name: label,
    iban: iban(rank, number),
    baseCents,
    swingCents: 12_000,
    main: number === 1,
  });
  return {
    id: uuid(rank, 0),
    slug,
    name,
    secretKey,
    createdAt: now.toISOString(),
    hidesMoney: false,
    accounts: [
      account(1, 'Compte principal', 1_520_50 * rank),
      account(2, 'Compte TVA', 320_00 * rank),
      { ...account(3, 'Compte fermé', 0), status: 'closed' },
      { ...account(4, 'Compte ailleurs', 99_00), isExternal: true },
    ],
  };
}

function uuid(rank: number, number: number): string {
  return `018f71db-c635-78b5-b90a-${String(rank).padStart(6, '0')}${String(number).padStart(6, '0')}`;
}

/** Qonto's bank code; the account does not exist. */
function iban(rank: number, number: number): string {
  return frenchIban(`1695800001${String(rank * 1000 + number).padStart(11, '0')}97`);
}
