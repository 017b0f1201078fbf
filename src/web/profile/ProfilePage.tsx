import { Link } from 'wouter';
import type { Me } from '../../shared/contract/users.ts';
import { Loaded } from '../api/Loaded.tsx';
import { useReading } from '../api/reading.ts';
import { Page } from '../application/Page.tsx';
import { DeletionPanel } from '../deletion/DeletionPanel.tsx';
import { PasswordPanel } from '../password/PasswordPanel.tsx';
import { SecondFactorPanel } from '../second-factor/SecondFactorPanel.tsx';
import { SessionsPanel } from '../sessions/SessionsPanel.tsx';
import { EmailPanel } from './EmailPanel.tsx';
import { ExportPanel } from './ExportPanel.tsx';
import { NamesPanel } from './NamesPanel.tsx';
import styles from './Panel.module.css';

export function ProfilePage() {
  const me = useReading<Me>('/users/me');
  return (
    <Page title="Mon compte" className={styles.page}>
      <h1>Mon compte</h1>
      <Loaded reading={me} failed="Votre compte n'a pas pu être chargé." waiting={<Skeleton />}>
        {(data) => <Panels me={data} onChange={me.again} />}
      </Loaded>
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

function Skeleton() {
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
