import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { frenchIban } from '../service/iban.ts';

/** What Enable Banking and the banks behind it hold. Dates are ISO 8601 in UTC: the whole is JSON. */
export interface State {
  applications: Application[];
  consents: Consent[];
  sessions: Session[];
  accounts: Account[];
  startedAt: string;
}

export interface Application {
  id: string;
  name: string;
  publicKey: string;
  /** As people download it when they make the application. */
  privateKey: string;
  active: boolean;
  redirectUrls: string[];
  services: string[];
}

/** A consent that is being asked for. */
export interface Consent {
  id: string;
  applicationId: string;
  bank: string;
  validUntil: string;
  state: string;
  redirectUrl: string;
  /** Once it is given, with the accounts that were chosen. */
  code: string | null;
  accounts: string[];
}

export interface Session {
  id: string;
  applicationId: string;
  bank: string;
  validUntil: string;
  status: 'AUTHORIZED' | 'EXPIRED' | 'CLOSED' | 'REVOKED' | 'CANCELLED';
  /** Each session has other uids for the same accounts. */
  uids: { uid: string; account: string }[];
}

export interface Account {
  /** The same from one consent to the next. */
  hash: string;
  bank: string;
  details: string | null;
  type: string;
  iban: string;
  currency: string;
  baseCents: number;
  swingCents: number;
  /** The error code that each reading ends in; null while it is told. */
  error: string | null;
  /** In place of the computed ones; null for these. */
  balances: object[] | null;
  /** Fields of the account as a session describes it. */
  override: Record<string, unknown>;
  /** When it was read without its holder, epoch ms. */
  unattended: number[];
}

export interface Bank {
  name: string;
  country: string;
  psuTypes: string[];
  longestSeconds: number;
  psuHeaders: string[];
}

const halfYear = 15_552_000;
const quarter = 7_776_000;
const both = ['Psu-Ip-Address', 'Psu-User-Agent'];

/** Invented: names a bank could bear, and none does. */
export const banks: readonly Bank[] = [
  bank('Banque du Littoral', halfYear, both),
  bank('Crédit Coopérant', halfYear, []),
  bank('Néo Pécule', quarter, [...both, 'Psu-Accept-Language']),
  bank('Caisse du Lointain', halfYear, [...both, 'Psu-Geo-Location']),
  { ...bank('Banque Ardoise Pro', halfYear, both), psuTypes: ['business'] },
  { ...bank('Banque de Meuse', halfYear, both), country: 'BE' },
];

/** From what was saved, or the one application that everybody finds. */
export async function openState(saved: unknown, redirectUrls: string[], now: Date): Promise<State> {
  const state = saved as Partial<State> | null;
  if (state?.applications && state.sessions && state.accounts) return state as State;
  return {
    applications: [
      await application(
        '4b1d6f0a-3c58-4f7e-9d42-8a6c1e5b7f93',
        'Tirelire à la maison',
        redirectUrls,
      ),
    ],
    ...{ consents: [], sessions: [], startedAt: now.toISOString() },
    accounts: banks.flatMap(({ name }, rank) => [
      account(name, rank + 1, 1, { details: 'Compte courant' }),
      account(name, rank + 1, 2, { details: 'Livret A', type: 'SVGS', baseCents: 540_000 }),
      account(name, rank + 1, 3, {
        details: 'Carte à débit différé',
        type: 'CARD',
        error: 'ASPSP_ERROR',
      }),
    ]),
  };
}

export async function application(
  id: string,
  name: string,
  redirectUrls: string[],
): Promise<Application> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { id, name, publicKey, privateKey, active: true, redirectUrls, services: ['AIS'] };
}

function bank(name: string, longestSeconds: number, psuHeaders: string[]): Bank {
  return { name, country: 'FR', psuTypes: ['personal', 'business'], longestSeconds, psuHeaders };
}

function account(bank: string, rank: number, number: number, given: Partial<Account>): Account {
  return {
    hash: `hash-${rank}-${number}-WwpbCiJhY2NvdW50`,
    bank,
    details: null,
    type: 'CACC',
    iban: iban(rank, number),
    currency: 'EUR',
    baseCents: 152_050 * rank,
    swingCents: 4_000,
    error: null,
    balances: null,
    override: {},
    unattended: [],
    ...given,
  };
}

/** The account does not exist. */
function iban(rank: number, number: number): string {
  return frenchIban(`1027806000${String(rank * 1000 + number).padStart(11, '0')}23`);
}
