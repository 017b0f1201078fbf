import { QueryCache, QueryClient } from '@tanstack/react-query';
import { alertTexts } from '../../shared/errors/texts.ts';
import { ServerRefusal } from '../api/failure.ts';
import { showToast } from '../toasts/toasts.ts';

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** Part of the home load: its first failure is announced (specification §4). */
      homeLoad?: boolean;
    };
  }
}

/** The memory of one signed-in session; it goes when the session ends. */
export function createClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (failure, query) => {
        if (!query.meta?.homeLoad || query.state.data !== undefined) return;
        if (failure instanceof ServerRefusal && failure.status === 401) return;
        showToast('error', alertTexts.unknownError);
      },
    }),
    defaultOptions: {
      queries: {
        // Even when the browser believes itself offline: a failure is shown, never a wait without end.
        networkMode: 'always',
        retry: (failures, failure) => failures < 1 && !(failure instanceof ServerRefusal),
        retryDelay: 600,
        staleTime: 0,
        refetchOnWindowFocus: 'always',
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}
