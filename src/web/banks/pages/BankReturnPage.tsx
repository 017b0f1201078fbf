import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { addNotices, endWords } from '../../../shared/banks/returns.ts';
import type { ReturnEnd } from '../../../shared/contract/banks.ts';
import { call } from '../../api/call.ts';
import { ApiError, failureText, isTransient } from '../../api/failure.ts';
import { tellOtherTabs } from '../../browser/tabs.ts';
import { Button, buttonClass } from '../../design/Button.tsx';
import { Callout } from '../../design/Callout.tsx';
import styles from '../../design/Page.module.css';
import { Page } from '../../design/Page.tsx';
import { withQueries } from '../../session/query-client.tsx';
import { bankKeys } from '../queries.ts';

/**
 * Where the page of a bank leads back to when something is to be exchanged: the server does it for the
 * person who began it alone, so it is sent under the session of this browser.
 */
export const BankReturnPage = withQueries(function BankReturnPage() {
  const [path, navigate] = useLocation();
  const [returnedQuery] = useState(() => location.hash.slice(1));
  const client = useQueryClient();
  const { data: end, error, isFetching, refetch } = useQuery(endQuery(path, returnedQuery));
  const mayTryAgain = error !== null && !isAnswer(error);
  useEffect(() => {
    if (!returnedQuery) navigate('/', { replace: true });
    // Then neither the history nor a copied address keeps it; until then a reload sends it again.
    else if (end || (error && isAnswer(error))) history.replaceState(history.state, '', path);
  }, [returnedQuery, end, error, path, navigate]);
  useEffect(() => {
    if (!end) return;
    client.invalidateQueries({ queryKey: bankKeys.all });
    tellOtherTabs({ changed: bankKeys.all });
    if (end.purpose === 'add') navigate(`/?notice=${addNotices[end.outcome]}`, { replace: true });
  }, [end, client, navigate]);
  const words = end && end.purpose !== 'add' ? endWords(end.purpose, end.outcome) : null;
  return (
    <Page title={words?.title ?? 'Retour de la banque'} className={styles.narrow}>
      <h1>{words?.title ?? 'Retour de la page de votre banque'}</h1>
      <div role="status">
        {!end && !error && <p>Enregistrement de votre autorisation…</p>}
        {words && <p>{words.text} Vous pouvez fermer cet onglet.</p>}
      </div>
      <div role="alert">
        {error && (
          <Callout
            variant="failure"
            action={
              mayTryAgain && (
                <Button busy={isFetching} onClick={() => refetch()}>
                  Réessayer
                </Button>
              )
            }
          >
            {failureText(error)}
          </Callout>
        )}
      </div>
      {(words || error) && (
        <Link href="/" className={buttonClass('primary')}>
          Revenir à mes banques
        </Link>
      )}
    </Page>
  );
});

/** The server has decided of what came back: it is good for nothing more. */
function isAnswer(error: Error): boolean {
  return error instanceof ApiError && error.status !== 401 && !isTransient(error);
}

/** Sent by itself once: what came back is good for one exchange, which the server begins once. */
function endQuery(path: string, returnedQuery: string) {
  return queryOptions({
    queryKey: ['bank-return', path, returnedQuery],
    queryFn: () => {
      const source = path.split('/').at(-1) ?? '';
      const query = Object.fromEntries(new URLSearchParams(returnedQuery));
      return call<ReturnEnd>('POST', `/banks/sources/${source}/returns`, { body: { query } });
    },
    enabled: returnedQuery !== '',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}
