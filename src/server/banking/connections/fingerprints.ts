import { createHash } from 'node:crypto';

/**
 * Of the number or IBAN of an account, which is not stored itself: the same for one account of one person
 * under all the ids that a source gives it. Null without a number. Hashed with the id of its owner and
 * without a key, because it outlives every change of APP_SECRET: those who have the database can find out
 * whether it holds a number that they know.
 */
export function numberFingerprint(
  userId: string,
  number: string | null | undefined,
): string | null {
  const bare = bareOf(number);
  return bare.length < 8 ? null : truncatedHash(`${userId} ${bare}`, 32);
}

/**
 * The same for one account under every source that tells its IBAN; null without one, because a bank's own
 * number is that of one account only together with the bank. Of an IBAN of France or Monaco, bank, branch and
 * account count without the key: a statement may say no more.
 */
export function ibanFingerprint(userId: string, number: string | null | undefined): string | null {
  const bare = bareOf(number);
  const french = /^(?:(?:FR|MC)\d\d)?(\d{10}[0-9A-Z]{11})(?:\d\d)?$/.exec(bare)?.[1];
  const iban = french ?? (/^[A-Z]{2}\d{2}[0-9A-Z]{11,30}$/.test(bare) ? bare : null);
  return iban === null ? null : truncatedHash(`${userId} iban ${iban}`, 16);
}

/** What stands for the account of a file among the ids of its source, in the place of its number. */
export function fileAccountId(userId: string, number: string): string {
  return truncatedHash(`${userId} file ${number}`, 32);
}

/**
 * Of a French number with its bank and branch but without its key, the account alone: all that some files say.
 * Any other number as it is.
 */
export function accountPart(number: string): string {
  return /^\d{10}([0-9A-Z]{11})$/.exec(number)?.[1] ?? number;
}

function bareOf(number: string | null | undefined): string {
  return (number ?? '').replace(/[^0-9A-Za-z]/g, '').toUpperCase();
}

function truncatedHash(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}
