import type { LimitScope, PostResult } from '../posting.ts';

/** What nodemailer says of a mail that was not taken: nodemailer.com/errors. */
export interface SmtpFailure {
  code?: string | undefined;
  /** The last SMTP command. For a broken connection it says `CONN`, whenever that broke. */
  command?: string | undefined;
  /** Of the server's answer, where there was one. */
  responseCode?: number | undefined;
  response?: string | undefined;
}

/**
 * What follows from a mail that the server did not take. `isBegun`: a byte of the mail itself had been
 * handed over, so that a connection that breaks leaves open whether the server has it. Codes are those
 * of RFC 5321 §4.2.3 and RFC 3463.
 */
export function resultOfFailure(failure: SmtpFailure, isBegun: boolean): PostResult {
  const { code = '', responseCode = 0, response = '' } = failure;
  if (tlsFaults.has(code)) return { end: 'fault', code: 'smtp_tls' };
  if (loginFaults.has(code) || responseCode === 530) {
    return isTemporary(responseCode)
      ? waiting('try_later', 'service', 300)
      : { end: 'fault', code: 'smtp_login' };
  }
  const isOfAnswer = code === 'EENVELOPE' || code === 'EMESSAGE';
  const isUnreadable = isOfAnswer && responseCode === 0 && (response !== '' || isBegun);
  const network = isUnreadable ? 'network_unreadable' : networkCodesByFailure[code];
  if (network) {
    return isBegun
      ? { end: 'ambiguous', code: network }
      : { end: 'transient', code: network, limitScope: null, retryAfterSeconds: null };
  }
  if (isOfAnswer) return endOfAnswer(failure);
  return { end: 'fault', code: 'unwritable_mail' };
}

const tlsFaults: ReadonlySet<string> = new Set(['ETLS', 'EREQUIRETLS']);
const loginFaults: ReadonlySet<string> = new Set(['EAUTH', 'ENOAUTH', 'EOAUTH2']);

const networkCodesByFailure: Record<string, string> = {
  EDNS: 'network_dns',
  ECONNECTION: 'network_reset',
  ESOCKET: 'network_reset',
  ETIMEDOUT: 'network_timeout',
  EABORT: 'network_timeout',
  EPROTOCOL: 'network_unreadable',
  ESTREAM: 'network_unreadable',
};

/** The server was not reached, or broke off. */
export const networkCodes = Object.values(networkCodesByFailure);

/**
 * The server answered with a code, or the library saw by itself that it would: the mail was not taken.
 */
function endOfAnswer({ code, command, responseCode = 0, response = '' }: SmtpFailure): PostResult {
  if (responseCode === 0) return code === 'EENVELOPE' ? unknownAddress : tooLarge;
  const [, subject = '', detail = ''] = enhancedCode.exec(response) ?? [];
  const status = `${subject}.${detail}`;
  const isOfSender = command === 'MAIL FROM';
  if (isTemporary(responseCode)) {
    if (status === '2.2') return waiting('mailbox_full', 'channel', 900);
    return isOfSender ? waiting('try_later', 'service', 300) : waiting('try_later', 'channel', 900);
  }
  if (quotaCodes.has(status)) return waiting('try_later', 'service', 3600);
  if (status === '3.4' || status === '2.3' || (responseCode === 552 && isOfSender)) return tooLarge;
  if (isOfSender || senderCodes.has(status)) return { end: 'fault', code: 'sender_refused' };
  if (status === '2.2' || responseCode === 552) return waiting('mailbox_full', 'channel', 3600);
  const isOfAddress = subject === '1' || status === '2.1' || routeCodes.has(status);
  const isPlain =
    (subject === '' || subject === '0') && command === 'RCPT TO' && addressCodes.has(responseCode);
  if (isOfAddress || isPlain) return unknownAddress;
  return subject === '4'
    ? waiting('try_later', 'channel', 3600)
    : { end: 'permanent', kind: 'permission', code: 'mail_policy' };
}

/** RFC 3463. An address of a machine that the answer names is none. */
const enhancedCode = /(?<![\d.])[245]\.(\d{1,3})\.(\d{1,3})(?!\.?\d)/;

/** Gmail and Exchange Online say so that the account of the installation has sent enough for a day. */
const quotaCodes: ReadonlySet<string> = new Set(['4.5', '1.90']);

const senderCodes: ReadonlySet<string> = new Set(['1.7', '1.8']);

/** Nothing leads to the address. The last is Exchange's own, for a domain that does not exist. */
const routeCodes: ReadonlySet<string> = new Set(['4.1', '4.4', '4.310']);

const tooLarge: PostResult = { end: 'fault', code: 'mail_too_large' };

const unknownAddress: PostResult = { end: 'permanent', kind: 'channel', code: 'unknown_address' };

/** Of a server that says nothing finer. */
const addressCodes: ReadonlySet<number> = new Set([550, 551, 553]);

function isTemporary(responseCode: number): boolean {
  return responseCode >= 400 && responseCode < 500;
}

/** Mail servers name no time: these are what a waiting list for unknown senders asks for, as a rule. */
function waiting(code: string, limitScope: LimitScope, retryAfterSeconds: number): PostResult {
  return { end: 'transient', code, limitScope, retryAfterSeconds };
}
