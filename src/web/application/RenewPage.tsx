import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useParams } from 'wouter';
import type { Redirection } from '../../shared/contract/messengers.ts';
import { call } from '../api/call.ts';
import { failureText } from '../api/failure.ts';
import { forget } from '../browser/tab-storage.ts';
import { buttonClass } from '../design/Button.tsx';
import { Callout } from '../design/Callout.tsx';
import { isWebAddress } from '../design/navigation.ts';
import styles from '../design/Page.module.css';
import { Page } from '../design/Page.tsx';
import { withQueries } from '../session/query-client.tsx';
import { WAY } from './SignInFirst.tsx';

/** Opened by the link of a reminder: goes on to the bank's page, where the access is renewed. */
export const RenewPage = withQueries(function RenewPage() {
  const { id = '' } = useParams();
  const { data, error } = useQuery(pageQuery(id));
  useEffect(() => {
    forget(WAY);
    if (data && isWebAddress(data.redirect_url)) location.replace(data.redirect_url);
  }, [data]);
  return (
    <Page title="Renouveler" className={styles.narrow}>
      <h1>Renouveler l'accès à votre banque</h1>
      <div role="status">{!error && <p>Ouverture de la page de votre banque…</p>}</div>
      <div role="alert">{error && <Callout look="failure">{failureText(error)}</Callout>}</div>
      {error && (
        <Link href="/" className={buttonClass('primary')}>
          Revenir à mes banques
        </Link>
      )}
    </Page>
  );
});

/** Asked for once: the bank service opens a connection a few times a day only. */
function pageQuery(id: string) {
  return queryOptions({
    queryKey: ['renewal', id],
    queryFn: ({ signal }) => call<Redirection>('GET', `/bridge/items/edit/${id}`, { signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}
