import { dayMs, hourMs } from '../service/durations.ts';
import { centsAt, daysBetween, stepOf } from '../service/random-walk.ts';
import type { Account, Organization } from './state.ts';

/** Ponto asks the banks at these hours of Paris by itself. */
const hours = [2, 8, 14, 20];

/** An account of `GET /accounts`: documentation.myponto.com/api, "accounts". */
export function presentAccount(owner: Organization, account: Account, now: Date): object {
  const readAt = lastReading(account, now);
  const cents = centsAt(account, new Date(owner.createdAt), readAt);
  const isEnded = now >= new Date(account.endsAt);
  const code = isEnded ? 'authorizationExpired' : account.bankError;
  return {
    type: 'account',
    id: account.id,
    attributes: {
      description: account.description,
      product: 'Current account',
      subtype: account.subtype,
      reference: account.iban,
      referenceType: 'IBAN',
      currency: account.currency,
      currentBalance: cents / 100,
      // With what the bank lends.
      availableBalance: (cents + 500_00) / 100,
      currentBalanceReferenceDate: readAt.toISOString(),
      currentBalanceChangedAt: readAt.toISOString(),
      holderName: owner.name,
      deprecated: account.deprecated,
      authorizedAt: account.authorizedAt,
      authorizationExpirationExpectedAt: account.endsAt,
      internalReference: account.id,
      ...account.override,
    },
    relationships: {
      financialInstitution: { data: { type: 'financialInstitution', id: account.institutionId } },
    },
    meta: {
      availability: 'available',
      synchronizedAt: readAt.toISOString(),
      latestSynchronization: {
        type: 'synchronization',
        id: account.id,
        attributes: {
          status: code ? 'error' : 'success',
          subtype: 'accountDetails',
          errors: code ? [{ code, detail: '' }] : [],
          customerOnline: false,
          resourceType: 'account',
          resourceId: account.id,
          createdAt: readAt.toISOString(),
          updatedAt: readAt.toISOString(),
        },
      },
      ...account.meta,
    },
  };
}

/**
 * One transaction for each day of the figures, which is that day's step, newest first: those that Ponto
 * has read by now.
 */
export function presentTransactions(owner: Organization, account: Account, now: Date): object[] {
  const [from, readAt] = [new Date(owner.createdAt), lastReading(account, now)];
  const days = Array.from({ length: daysBetween(from, readAt) }, (_item, at) => at + 1).reverse();
  return days.map((day) => {
    const cents = stepOf(account, day);
    const booked = new Date(from.getTime() + day * dayMs);
    booked.setUTCHours(0, 0, 0, 0);
    return {
      type: 'transaction',
      id: `${account.id}-${day}`,
      attributes: {
        amount: cents / 100,
        currency: account.currency,
        executionDate: booked.toISOString(),
        valueDate: booked.toISOString(),
        description: 'Virement',
        counterpartName: cents < 0 ? 'Fournitures de bureau' : 'Client',
        remittanceInformation: `FACTURE ${day}`,
      },
    };
  });
}

/** When its bank last answered: at one of the four hours, at its authorization, or at a press. */
function lastReading(account: Account, now: Date): Date {
  const last = new Date(Math.min(now.getTime(), Date.parse(account.endsAt)));
  const pressed = account.synchronizedAt ? Date.parse(account.synchronizedAt) : 0;
  const begun = Math.max(Date.parse(account.authorizedAt), pressed);
  return new Date(account.bankError ? begun : Math.max(begun, hourBefore(last)));
}

const paris = new Intl.DateTimeFormat('fr-FR', {
  hour: 'numeric',
  hourCycle: 'h23',
  timeZone: 'Europe/Paris',
});

function hourBefore(moment: Date): number {
  let at = Math.floor(moment.getTime() / hourMs) * hourMs;
  while (!hours.includes(Number.parseInt(paris.format(at), 10))) at -= hourMs;
  return at;
}
