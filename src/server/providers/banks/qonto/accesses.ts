import type { GivenAccess } from '../refusals.ts';
import type { QontoKey } from './calls.ts';

/** A key that a person pasted, with the organisation that it opened then. */
export interface Access extends QontoKey, GivenAccess {
  id: string;
  name: string;
}

/** The secret that banking keeps sealed: one access for each organisation of the person. */
export function readAccesses(secret: string | null): Access[] {
  return secret === null ? [] : JSON.parse(secret);
}

/** With `access` in place of an earlier key to the same organisation. */
export function withAccess(known: string | null, access: Access): string {
  return JSON.stringify([...readAccesses(known).filter(({ id }) => id !== access.id), access]);
}

/** Without that of one organisation; null when none remains. */
export function withoutAccess(secret: string | null, id: string): string | null {
  const rest = readAccesses(secret).filter((access) => access.id !== id);
  return rest.length > 0 ? JSON.stringify(rest) : null;
}
