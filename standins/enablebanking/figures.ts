import { dayMs } from '../service/durations.ts';
import { centsAt } from '../service/random-walk.ts';
import { header, type Request } from '../service/request.ts';
import { type Answer, json } from '../service/responses.ts';
import { type Account, type Bank, banks } from './state.ts';

/** Readings of an account in a day that most banks allow without its holder. */
const unattendedADay = 4;

export function presentBank({ name, country, psuTypes, longestSeconds, psuHeaders }: Bank): object {
  return {
    ...{ name, country, logo: 'https://enablebanking.invalid/logo.png', bic: null, beta: false },
    ...{ psu_types: psuTypes, maximum_consent_validity: longestSeconds },
    required_psu_headers: psuHeaders,
    auth_methods: [{ name: 'redirect', psu_type: 'personal', approach: 'REDIRECT' }],
    ...{ sandbox: null, group: null },
  };
}

/** As a session describes it when it is opened, and never again. */
export function presentAccount(account: Account, uid: string): object {
  return {
    ...{ uid, identification_hash: account.hash, identification_hashes: [account.hash] },
    account_id: { iban: account.iban },
    all_account_ids: [],
    account_servicer: { bic_fi: null, name: account.bank },
    ...{ name: 'MME A EXEMPLE', details: account.details, product: null, usage: 'PRIV' },
    ...{ cash_account_type: account.type, currency: account.currency },
    psu_status: 'Account Holder',
    ...account.override,
  };
}

/** Null for the account's own error. */
export function answerBalances(
  request: Request,
  account: Account,
  startedAt: Date,
  now: Date,
): Answer | null {
  const bank = banks.find(({ name }) => name === account.bank);
  const given = Object.keys(request.headers).filter((name) => name.startsWith('psu-'));
  const missing = bank?.psuHeaders.some((name) => header(request, name.toLowerCase()) === '');
  if (given.length > 0 && missing) return refused(422, 'PSU_HEADER_NOT_PROVIDED');
  if (given.length === 0) {
    account.unattended = account.unattended.filter((at) => at > now.getTime() - dayMs);
    if (account.unattended.length >= unattendedADay) {
      return refused(429, 'ASPSP_RATE_LIMIT_EXCEEDED');
    }
    account.unattended.push(now.getTime());
  }
  if (account.error) return null;
  const cents = centsAt({ ...account, id: account.hash }, startedAt, now);
  const amount = (value: number) => ({
    currency: account.currency,
    amount: (value / 100).toFixed(2),
  });
  return json(200, {
    balances: account.balances ?? [
      // What can be spent is told first, and holds what the bank lends.
      { name: 'Solde disponible', balance_type: 'CLAV', balance_amount: amount(cents + 50_000) },
      {
        ...{ name: 'Solde comptable', balance_type: 'ITBD', balance_amount: amount(cents) },
        reference_date: now.toLocaleDateString('sv-SE', { timeZone: 'Europe/Paris' }),
      },
    ],
  });
}

function refused(code: number, error: string): Answer {
  return json(code, { code, message: error, error, detail: null });
}
