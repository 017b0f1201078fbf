import { QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { EmailConfirmation } from '../../shared/contract/accounts.ts';
import { call } from '../api/call.ts';
import { ApiError, failureText } from '../api/failure.ts';
import { isFailed } from '../api/Loaded.tsx';
import { useToken } from '../api/token.ts';
import { useSecretFragment } from '../browser/fragment.ts';
import { buttonClass } from '../design/Button.tsx';
import { Callout } from '../design/Callout.tsx';
import styles from '../design/Page.module.css';
import { Page } from '../design/Page.tsx';
import { Retry } from '../design/Retry.tsx';
import { meQuery } from '../session/me.ts';
import { withQueries } from '../session/query-client.tsx';

/** Opened by the link of a mail: the address that received it is its owner's. */
export const ConfirmationPage = withQueries(function ConfirmationPage() {
  const { value: token, opened } = useSecretFragment('jeton');
  const [target, label] =
    useToken() === null ? ['/login', 'Se connecter'] : ['/profil', 'Aller à mon compte'];
  const sessionClient = useQueryClient();
  // The session's client changes with the session, and would then post the link again.
  const [client] = useState(() => new QueryClient());
  const query = useQuery(confirmationQuery(token, opened, sessionClient), client);
  const { isSuccess, isFetching, error, refetch } = query;
  const isRefused = error instanceof ApiError;
  const isUnanswered = isFailed(query) && !isRefused;
  return (
    <Page key={opened} title="Adresse email" className={styles.narrow}>
      <h1>Confirmation de votre adresse</h1>
      <div role="status">
        {isFetching && !isUnanswered && <p>Confirmation en cours…</p>}
        {isSuccess && <p>Votre adresse est confirmée, merci.</p>}
      </div>
      {token === null && (
        <Refused>
          Ce lien n'est pas complet. Ouvrez-le depuis l'email, ou demandez-en un autre depuis votre
          compte.
        </Refused>
      )}
      {isRefused && <Refused>{failureText(error)}</Refused>}
      {isUnanswered && (
        <Retry
          text="Votre adresse n'a pas pu être confirmée."
          busy={isFetching}
          onRetry={refetch}
        />
      )}
      <Link href={target} className={buttonClass(isSuccess ? 'primary' : 'plain')}>
        {label}
      </Link>
    </Page>
  );
});

/**
 * Confirms the address whose link was opened. A query although it is a POST: a page that React mounts
 * a second time finds its answer, and the link is sent once.
 */
function confirmationQuery(token: string | null, opened: number, sessionClient: QueryClient) {
  return queryOptions({
    queryKey: ['confirmation', token, opened],
    queryFn: async () => {
      const body: EmailConfirmation = { token: token ?? '' };
      await call('POST', '/accounts/email/confirmation', { body });
      sessionClient.removeQueries(meQuery);
      return true;
    },
    enabled: token !== null,
    networkMode: 'always',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

function Refused({ children }: { children: string }) {
  return (
    <div role="alert">
      <Callout look="failure">{children}</Callout>
    </div>
  );
}
