import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { tellOtherTabs } from '../browser/tabs.ts';

/** Has queries read again when what they depend on becomes another value; undefined: it is not known yet. */
export function useReread(queryKey: QueryKey, cause: unknown): void {
  const client = useQueryClient();
  const reread = useEffectEvent(() => client.invalidateQueries({ queryKey }));
  const known = useRef(cause);
  useEffect(() => {
    if (known.current !== undefined && known.current !== cause) reread();
    known.current = cause;
  }, [cause]);
}

/** Has queries read again after a change, in the person's other tabs too; settles with their answers here. */
export async function rereadEverywhere(
  client: QueryClient,
  queryKey: readonly string[],
): Promise<void> {
  tellOtherTabs({ changed: queryKey });
  await client.invalidateQueries({ queryKey });
}
