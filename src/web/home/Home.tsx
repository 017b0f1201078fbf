import { QueryClientProvider, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Page } from '../application/Page.tsx';
import { Banks } from '../banks/Banks.tsx';
import { Messengers } from '../messengers/Messengers.tsx';
import { onTabMessage } from '../sessions/tabs.ts';
import { createClient } from './client.ts';
import styles from './Home.module.css';

export function Home() {
  const [client] = useState(createClient);
  useEffect(() => () => client.clear(), [client]);
  return (
    <QueryClientProvider client={client}>
      <FollowChanges />
      <Page title="Accueil" className={styles.home}>
        <h1 className="unseen">Accueil</h1>
        <Banks />
        <Messengers />
      </Page>
    </QueryClientProvider>
  );
}

/** What changed elsewhere is read again: in another tab, or while this page slept in the history. */
function FollowChanges() {
  const client = useQueryClient();
  useEffect(() => {
    const stop = onTabMessage((message) => {
      if (message === 'banks-changed') client.invalidateQueries({ queryKey: ['banks'] });
      if (message === 'messengers-changed') client.invalidateQueries({ queryKey: ['me'] });
    });
    const wake = (event: PageTransitionEvent) => {
      if (event.persisted) client.invalidateQueries();
    };
    addEventListener('pageshow', wake);
    return () => {
      stop();
      removeEventListener('pageshow', wake);
    };
  }, [client]);
  return null;
}
