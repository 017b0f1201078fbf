import { domainToASCII } from 'node:url';

/**
 * The form in which email addresses are compared, regardless of case and Unicode form, and of which of its
 * two spellings a domain has: browsers send that of the DNS for what is typed with accents (RFC 5890).
 */
export function emailKey(email: string): string {
  const typed = typedKey(email);
  const at = typed.lastIndexOf('@') + 1;
  const domain = typed.slice(at);
  // An older address may hold what the domain of a URL ends at.
  const ascii = hostName.test(domain) ? domainToASCII(domain) : '';
  return typed.slice(0, at) + (ascii || domain);
}

/** As `emailKey`, with the domain as it was typed: the key of an account whose other key was taken. */
export function typedKey(email: string): string {
  return email.normalize('NFKC').toLowerCase();
}

const hostName = /^[\p{L}\p{M}\p{Nd}.-]+$/u;
