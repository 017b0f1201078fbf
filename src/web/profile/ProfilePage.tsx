import { Link } from 'wouter';
import type { Me } from '../../shared/contract/users.ts';
import { type Reading, useReading } from '../api/reading.ts';
import { Page } from '../application/Page.tsx';
import { DeletionPanel } from '../deletion/DeletionPanel.tsx';
import { Retry } from '../design/Retry.tsx';
import { PasswordPanel } from '../password/PasswordPanel.tsx';
import { SecondFactorPanel } from '../second-factor/SecondFactorPanel.tsx';
import { SessionsPanel } from '../sessions/SessionsPanel.tsx';
import { EmailPanel } from './EmailPanel.tsx';
import { ExportPanel } from './ExportPanel.tsx';
import { NamesPanel } from './NamesPanel.tsx';
import styles from './Profile.module.css';

export function ProfilePage() {
  const me = useReading<Me>('/users/me');
  return (
    <Page title="Mon compte" className={styles.profile}>
      <h1>Mon compte</h1>
      {me.data ? <Panels me={me.data} onChange={me.again} /> : <Waiting {...me} />}
    </Page>
  );
}

function Panels({ me, onChange }: { me: Me; onChange: () => void }) {
  return (
    <>
      {me.operator && (
        <p>
          <Link href="/exploitation">Exploitation de ce service</Link>
        </p>
      )}
      <NamesPanel me={me} onChange={onChange} />
      <EmailPanel me={me} onChange={onChange} />
      <PasswordPanel />
      <SecondFactorPanel isOn={me.secondFactor} onChange={onChange} />
      <SessionsPanel />
      <ExportPanel />
      <DeletionPanel asksCode={me.secondFactor} />
    </>
  );
}

function Waiting({ failure, busy, again }: Reading<Me>) {
  if (failure && !busy) {
    return <Retry text="Votre compte n'a pas pu être chargé." busy={busy} onRetry={again} />;
  }
  return (
    <>
      <p role="status" className="unseen">
        Chargement de votre compte…
      </p>
      {['names', 'email', 'password', 'factor', 'sessions'].map((panel) => (
        <div key={panel} className={styles.skeleton} aria-hidden="true" />
      ))}
    </>
  );
}
