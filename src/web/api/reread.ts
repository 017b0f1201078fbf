import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';

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
