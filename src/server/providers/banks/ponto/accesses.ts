import { hourMs } from '../../../../shared/calendar/durations.ts';
import type { GivenAccess } from '../refusals.ts';

/** What a person copies from an integration in Ponto's dashboard. */
export interface PontoPair {
  clientId: string;
  clientSecret: string;
}

/** What a person pasted. */
export interface GivenPair extends PontoPair, GivenAccess {}

/** The same, with the banks that they removed here while the others stay. */
export interface Access extends GivenPair {
  without: string[];
}

/** The secret that banking keeps sealed: one access for each integration of the person. */
export function readAccesses(secret: string | null): Access[] {
  return secret === null ? [] : JSON.parse(secret);
}

/** With a new secret of the integration in place of the earlier one, and all its banks. */
export function withAccess(known: string | null, pair: GivenPair): string {
  const rest = readAccesses(known).filter(({ clientId }) => clientId !== pair.clientId);
  return JSON.stringify([...rest, { ...pair, without: [] }]);
}

/** The id of a connection: one integration opens several banks. */
export function connectionIdOf(clientId: string, institutionId: string): string {
  return `${clientId}/${institutionId}`;
}

/** Within this of being given, an access may have no bank because its first reading is under way. */
const firstReadingMs = hourMs;

/**
 * Without one bank. The whole integration is forgotten with the last of its banks, of which `others` are
 * the connections that remain, and with the last bank of all those that open none; null when nothing
 * remains at all.
 */
export function withoutConnection(
  secret: string | null,
  connectionId: string,
  { others, now }: { others: string[]; now: Date },
): string | null {
  const [clientId, institutionId = ''] = splitId(connectionId);
  const hasOthers = others.some((id) => splitId(id)[0] === clientId);
  const isNew = ({ givenAt }: Access) =>
    givenAt !== undefined && now.getTime() - Date.parse(givenAt) < firstReadingMs;
  const rest = readAccesses(secret).flatMap((access) => {
    if (access.clientId !== clientId) return others.length > 0 || isNew(access) ? [access] : [];
    return hasOthers ? [{ ...access, without: [...access.without, institutionId] }] : [];
  });
  return rest.length > 0 ? JSON.stringify(rest) : null;
}

export function splitId(connectionId: string): string[] {
  return connectionId.split('/');
}
