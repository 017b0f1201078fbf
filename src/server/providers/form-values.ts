import type { DeclaredField } from '../../shared/contract/declared-fields.ts';
import type { ErrorDetail } from '../platform/http/api-error.ts';

/** What is wrong with the `values` of a request, by the fields that a service declares; empty when they fit. */
export function faultsOfValues(
  fields: readonly Pick<DeclaredField, 'name' | 'pattern' | 'help'>[],
  values: Readonly<Record<string, string | undefined>>,
): ErrorDetail[] {
  return fields
    .filter(({ name, pattern }) => !new RegExp(`^(?:${pattern})$`, 'u').test(values[name] ?? ''))
    .map(({ name, help }) => ({ path: `/values/${name}`, message: help }));
}
