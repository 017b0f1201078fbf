import type { Presence } from '../connect.ts';

/** What a bank is told that names none of the headers that it wants. */
const usual = ['Psu-Ip-Address', 'Psu-User-Agent'];

/**
 * The headers that tell a bank of the person who is present, from the person's own request: all that the
 * bank wants, or null when one of them is not known. A part of them would be refused, and an invented one
 * would be a lie. `wanted` null: it is not known what the bank wants.
 */
export function psuHeadersOf(
  wanted: string[] | null,
  presence: Presence,
): Record<string, string> | null {
  if (wanted === null) return null;
  const names = wanted.length > 0 ? wanted : usual;
  const headers = names.map((name) => [name, headerOf(name.toLowerCase(), presence)] as const);
  const known = headers.flatMap(([name, value]) => (value ? [[name, value] as const] : []));
  return known.length === headers.length ? Object.fromEntries(known) : null;
}

function headerOf(name: string, presence: Presence): string | null {
  switch (name) {
    case 'psu-ip-address':
      return presence.ip;
    case 'psu-user-agent':
      return presence.userAgent;
    case 'psu-accept':
      return presence.accept;
    case 'psu-accept-language':
      return presence.acceptLanguage;
    case 'psu-accept-encoding':
      return presence.acceptEncoding;
    case 'psu-referer':
      return presence.referer;
    default:
      return null;
  }
}
