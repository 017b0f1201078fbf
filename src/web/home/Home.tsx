import { type ReactNode, Suspense } from 'react';
import { Banks } from '../banks/Banks.tsx';
import { Boundary } from '../design/Boundary.tsx';
import { chunk } from '../design/chunk.ts';
import { Page } from '../design/Page.tsx';
import { CardSkeleton } from '../design/Section.tsx';
import { Messengers } from '../notifications/Messengers.tsx';
import { withQueries } from '../session/query-client.tsx';
import styles from './Home.module.css';

export const Home = withQueries(function Home() {
  return (
    <Page title="Accueil" className={styles.home}>
      <h1 className="unseen">Accueil</h1>
      <Banks FirstSteps={FirstSteps} />
      <Messengers FirstSteps={FirstSteps} />
    </Page>
  );
});

/** Only those who begin see them; without their file, the way to the next step is still there. */
const steps = chunk(
  () => import('./FirstSteps.tsx'),
  (file) => file.FirstSteps,
);

function FirstSteps({ action }: { action: ReactNode }) {
  return (
    <Boundary fallback={action}>
      <Suspense fallback={<CardSkeleton />}>
        <steps.Part action={action} />
      </Suspense>
    </Boundary>
  );
}
