import type { QueryClient } from '@tanstack/react-query';
import { rereadEverywhere } from '../../api/reread.ts';
import { bankKeys, showStored } from '../queries.ts';

/** What changed and is stored is shown at once, while the banks, which may be slow, are read again. */
export async function showChange(client: QueryClient): Promise<void> {
  void rereadEverywhere(client, bankKeys.all);
  await showStored({ client, queryKey: bankKeys.data });
}
