import { isLoopback } from '../loopback.ts';

/** How an SMTP address is spoken to. */
export type Protection =
  /** By TLS, from the first byte (`smtps:`) or after STARTTLS, without which nothing is sent. */
  | 'tls'
  /** The server is this machine: no network is crossed. */
  | 'local'
  /** In clear over the network, because the operator wrote `?insecure=1`. */
  | 'insecure';

/** Links in mails open accounts, so they cross no network in clear unless the operator says so. */
export function protectionOf(smtpUrl: string): Protection {
  const { protocol, hostname, searchParams } = new URL(smtpUrl);
  if (protocol === 'smtps:') return 'tls';
  if (isLoopback(hostname)) return 'local';
  return searchParams.get('insecure') === '1' ? 'insecure' : 'tls';
}

/**
 * The address as nodemailer reads it, whose parameters go before every other option: `requireTLS` stands
 * in it, so that nothing else in it turns STARTTLS off.
 */
export function transportUrl(smtpUrl: string): string {
  const url = new URL(smtpUrl);
  url.searchParams.delete('insecure');
  url.searchParams.delete('requireTLS');
  if (protectionOf(smtpUrl) === 'tls') url.searchParams.set('requireTLS', 'true');
  return url.href;
}
