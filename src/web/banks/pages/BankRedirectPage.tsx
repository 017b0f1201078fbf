import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import type { Redirection } from '../../../shared/contract/messengers.ts';
import { call } from '../../api/call.ts';
import { FailureCallout } from '../../api/FailureCallout.tsx';
import { buttonClass } from '../../design/Button.tsx';
import { isWebAddress } from '../../design/navigation.ts';
import styles from '../../design/Page.module.css';
import { Page } from '../../design/Page.tsx';
import { withQueries } from '../../session/query-client.tsx';

interface Purpose {
  title: string;
  heading: string;
  /** Of the API, which answers with the address of the bank service's page. */
  path(connectionId: string): string;
}

const editPath = (connectionId: string) => `/bridge/items/edit/${connectionId}`;

/** By the part of the page's address before the connection's id. */
const purposes: Record<string, Purpose> = {
  renouveler: {
    title: 'Renouveler',
    heading: "Renouveler l'accès à votre banque",
    path: editPath,
  },
  modifier: {
    title: 'Editer',
    heading: 'Modifier la connexion à votre banque',
    path: editPath,
  },
  'validation-pro': {
    title: 'Validation pro',
    heading: 'Valider votre compte professionnel',
    path: (connectionId) => `/bridge/items/pro/confirmation/url?item=${connectionId}`,
  },
};

/**
 * What the links Editer and Validation pro and the link of a reminder open: asks the API for the address
 * of the bank service's page and goes on to it. A link to the API itself could not carry the token.
 */
export const BankRedirectPage = withQueries(function BankRedirectPage() {
  const [location] = useLocation();
  // The router takes an address in capitals and with a slash at its end too.
  const [connectionId = '', name = ''] = location
    .toLowerCase()
    .split('/')
    .filter(Boolean)
    .reverse();
  const purpose = purposes[name];
  return purpose && <RedirectToBank {...purpose} address={purpose.path(connectionId)} />;
});

function RedirectToBank({ title, heading, address }: Purpose & { address: string }) {
  const { data, error } = useQuery(addressQuery(address));
  useEffect(() => {
    if (data) location.replace(data);
  }, [data]);
  return (
    <Page title={title} className={styles.narrow}>
      <h1>{heading}</h1>
      <div role="status">{!error && <p>Ouverture de la page de votre banque…</p>}</div>
      <FailureCallout failure={error} />
      {error && (
        <Link href="/" className={buttonClass('primary')}>
          Revenir à mes banques
        </Link>
      )}
    </Page>
  );
}

/** Asked for once: the bank service opens a connection a few times a day only. */
function addressQuery(path: string) {
  return queryOptions({
    queryKey: ['bank-page', path],
    queryFn: async ({ signal }) => {
      const { redirect_url } = await call<Redirection>('GET', path, { signal });
      if (!isWebAddress(redirect_url)) throw new Error('no web address');
      return redirect_url;
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}
