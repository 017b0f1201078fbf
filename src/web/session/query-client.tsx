import {
  MutationCache,
  type MutationMeta,
  onlineManager,
  QueryCache,
  QueryClient,
  QueryClientProvider,
} from '@tanstack/react-query';
import type { FunctionComponent } from 'react';
import { noticeTexts } from '../../shared/errors/texts.ts';
import { ApiError, isTransient, showFailure, showUnknownError } from '../api/failure.ts';
import { rereadEverywhere } from '../api/reread.ts';
import { currentToken, onTokenChange, useToken } from '../api/token.ts';
import { onTabMessage } from '../browser/tabs.ts';
import { showToast } from '../design/toasts/toasts.ts';

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** Part of the home load, whose first failure is announced (specification §4). */
      homeLoad?: boolean;
    };
    mutationMeta: {
      /** How a failure is told: by default in the server's words, as specification §8 says, or beside the button alone. */
      failure?: 'unknownError' | 'beside';
      /** What is told once it is done. */
      done?: string;
      /** The keys of the queries that it changes: they are read again, in every tab. */
      changed?: readonly (readonly string[])[];
    };
  }
}

/** A page with queries and mutations, whose answers are kept in the memory of its session. */
export function withQueries(Page: FunctionComponent) {
  return () => (
    <QueryClientProvider client={clientOf(useToken())}>
      <Page />
    </QueryClientProvider>
  );
}

/** Of the last home load: its parts fail together, and are then read again by themselves. */
let isFailureTold = false;

/** At each visit of the home page, and each time that its reader asks for a part of it again. */
export function beginHomeLoad(): void {
  isFailureTold = false;
}

let session: { token: string | null; client: QueryClient } | undefined;

/** One client per session, kept from page to page. Its answers go with the session's token. */
function clientOf(token: string | null): QueryClient {
  if (session?.token !== token) {
    session?.client.clear();
    session = { token, client: createClient(token) };
  }
  return session.client;
}

// A page that is opened offline hears of no change: the library would believe that it was online.
onlineManager.setOnline(navigator.onLine);
onTokenChange(() => clientOf(currentToken()));
onTabMessage((message) => {
  if (typeof message === 'object' && 'changed' in message) {
    session?.client.invalidateQueries({ queryKey: message.changed });
  }
});

function createClient(token: string | null): QueryClient {
  /** The session ended meanwhile: the page that follows says so. */
  const isOver = () => currentToken() !== token;
  function readAgain(meta: MutationMeta | undefined) {
    for (const queryKey of meta?.changed ?? []) rereadEverywhere(client, queryKey);
  }
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError: (failure, query) => {
        if (isTransient(failure)) askAgainSoon(client);
        if (!query.meta?.homeLoad || isFailureTold || isOver()) return;
        isFailureTold = true;
        showToast('error', noticeTexts.unknownError);
      },
    }),
    mutationCache: new MutationCache({
      onSuccess: (_answer, _variables, _context, { meta }) => {
        if (isOver()) return;
        if (meta?.done) showToast('success', meta.done);
        readAgain(meta);
      },
      onError: (failure, _variables, _context, { meta }) => {
        if (isOver()) return;
        // Ended or changed meanwhile, from another device: what is on screen is older.
        if (failure instanceof ApiError && [404, 409].includes(failure.status)) readAgain(meta);
        if (meta?.failure === 'unknownError') showUnknownError(failure);
        else if (meta?.failure !== 'beside') showFailure(failure);
      },
    }),
    defaultOptions: {
      queries: {
        // Even when the browser believes itself offline: a failure is shown, never an endless wait.
        networkMode: 'always',
        retry: (failures, failure) => failures < 1 && !(failure instanceof ApiError),
        retryDelay: 600,
        staleTime: 0,
        refetchOnWindowFocus: 'always',
        // With that network mode it would be left out: what failed meanwhile comes by itself.
        refetchOnReconnect: true,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
  return client;
}

const askAgainMs = 5_000;

let askingAgain: ReturnType<typeof setTimeout> | undefined;

/**
 * Reads again what is on screen and failed for a passing reason; each failure of that leads here again.
 */
function askAgainSoon(client: QueryClient): void {
  clearTimeout(askingAgain);
  askingAgain = setTimeout(() => {
    client.refetchQueries({ type: 'active', predicate: ({ state }) => isTransient(state.error) });
  }, askAgainMs);
}
