import { focusManager, QueryClientProvider, useQueryClient } from '@tanstack/react-query';
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

/**
 * What changed elsewhere is read again: in another tab, or at the bank while this page was not looked
 * at. A reading that was under way may have missed it, and is asked for anew.
 */
function FollowChanges() {
  const client = useQueryClient();
  useEffect(() => {
    const stop = onTabMessage((message) => {
      if (message === 'banks-changed') client.invalidateQueries({ queryKey: ['banks'] });
      if (message === 'messengers-changed') client.invalidateQueries({ queryKey: ['me'] });
    });
    const stopWaking = focusManager.subscribe((isShown) => {
      if (isShown) client.invalidateQueries({ queryKey: ['banks'] });
    });
    return () => {
      stop();
      stopWaking();
    };
  }, [client]);
  return null;
}
