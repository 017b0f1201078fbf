import { usePrefetchQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { Banks } from '../banks/Banks.tsx';
import { Button } from '../design/Button.tsx';
import { Callout } from '../design/Callout.tsx';
import { ErrorBoundary } from '../design/ErrorBoundary.tsx';
import { lazyComponent } from '../design/lazy-component.ts';
import { Page } from '../design/Page.tsx';
import { CardSkeleton, PartSkeleton, Section } from '../design/Section.tsx';
import { isComplete } from '../notifications/completeness.ts';
import { useCachedMessengers } from '../notifications/queries.ts';
import { meQuery } from '../session/me.ts';
import { withQueries } from '../session/query-client.tsx';
import styles from './Home.module.css';

export const Home = withQueries(function Home() {
  // Asked for while the file of the notifications comes.
  usePrefetchQuery({ ...meQuery, meta: { homeLoad: true } });
  return (
    <Page title="Accueil" className={styles.home}>
      <h1 className="unseen">Accueil</h1>
      <Banks
        FirstSteps={FirstSteps}
        next={notificationsTitle}
        isNext={useCachedMessengers().every(isComplete)}
      />
      <ErrorBoundary fallback={<Broken />}>
        <Suspense fallback={<Waiting />}>
          <messengers.Component FirstSteps={FirstSteps} />
        </Suspense>
      </ErrorBoundary>
    </Page>
  );
});

const notificationsTitle = 'Notifications';

/** Below the banks: what is first seen of the page does not wait for it. */
const messengers = lazyComponent(
  () => import('../notifications/Messengers.tsx'),
  (file) => file.Messengers,
);
messengers.preload();

function Waiting() {
  return (
    <Section title={notificationsTitle} state="Loading">
      <CardSkeleton label="Chargement de vos notifications…" />
    </Section>
  );
}

function Broken() {
  return (
    <Section title={notificationsTitle} state="Error">
      <Callout
        variant="failure"
        action={<Button onClick={() => location.reload()}>Réessayer</Button>}
      >
        Vos notifications n'ont pas pu être affichées. Vérifiez votre connexion.
      </Callout>
    </Section>
  );
}

/** Only those who begin see them; without their file, the way to the next step is still there. */
const steps = lazyComponent(
  () => import('./FirstSteps.tsx'),
  (file) => file.FirstSteps,
);

function FirstSteps({ action }: { action: ReactNode }) {
  return (
    <ErrorBoundary fallback={action}>
      <Suspense fallback={<PartSkeleton />}>
        <steps.Component action={action} />
      </Suspense>
    </ErrorBoundary>
  );
}
