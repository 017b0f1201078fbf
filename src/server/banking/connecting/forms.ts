import type { OfferedSource } from '../../../shared/contract/banks.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import type { BankSource, FormField } from '../../providers/banks/port.ts';
import { listConnections, type StoredConnection } from '../connections/queries.ts';
import type { BankingDeps } from '../deps.ts';
import { findSecret, saveSecret } from '../links/queries.ts';

/** What the page needs to offer a source. */
export function offerOf(kind: string, { name, connect }: BankSource): OfferedSource {
  return {
    source: kind,
    name,
    connect:
      connect.kind === 'form' ? { kind: 'form', fields: connect.fields } : { kind: 'redirect' },
  };
}

/** Has the source check what was typed, keeps it sealed, and reads with it for the first time. */
export async function linkByForm(
  deps: BankingDeps,
  ownerId: string,
  kind: string,
  values: Record<string, string>,
): Promise<StoredConnection[]> {
  const connect = deps.banks.get(kind)?.connect;
  if (connect?.kind !== 'form') throw new ApiError(httpErrors.Not_Found);
  requireFields(connect.fields, values);
  const secret = await connect.link(values, await findSecret(deps, ownerId, kind));
  await saveSecret(deps, ownerId, kind, secret);
  await deps.bankRefreshes.refresh(ownerId, kind);
  const connections = await listConnections(deps, ownerId);
  return connections.filter(({ source }) => source === kind);
}

function requireFields(fields: FormField[], values: Record<string, string>): void {
  const details = fields
    .filter(({ name }) => !Object.hasOwn(values, name))
    .map(({ name, label }) => ({ path: `/values/${name}`, message: `${label} manque` }));
  if (details.length > 0) throw new ApiError(httpErrors.Invalid_Request, { details });
}
