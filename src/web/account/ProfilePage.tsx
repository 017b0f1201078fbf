import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Me } from '../../shared/contract/users.ts';
import { Loaded } from '../api/Loaded.tsx';
import { Button } from '../design/Button.tsx';
import { Form, textOf } from '../design/Form.tsx';
import { Page } from '../design/Page.tsx';
import styles from '../design/Panel.module.css';
import { Folded, Panel, Quiet } from '../design/Panel.tsx';
import { CurrentPasswordField, NewPasswordField } from '../session/credentials.tsx';
import { meQuery } from '../session/me.ts';
import { withQueries } from '../session/query-client.tsx';
import { DeletionPanel } from './DeletionPanel.tsx';
import { EmailPanel, NamesPanel } from './IdentityPanels.tsx';
import { useChangePassword, useExport } from './mutations.ts';
import { SecondFactorPanel } from './SecondFactorPanel.tsx';
import { SessionsPanel } from './SessionsPanel.tsx';

export const ProfilePage = withQueries(function ProfilePage() {
  const me = useQuery(meQuery);
  return (
    <Page title="Mon compte" className={styles.page}>
      <h1>Mon compte</h1>
      <Loaded query={me} failed="Votre compte n'a pas pu être chargé." waiting={<Skeleton />}>
        {(data) => <Panels me={data} />}
      </Loaded>
    </Page>
  );
});

function Panels({ me }: { me: Me }) {
  return (
    <>
      {me.operator && (
        <p>
          <Link href="/exploitation">Exploitation de ce service</Link>
        </p>
      )}
      <NamesPanel me={me} />
      <EmailPanel me={me} />
      <PasswordPanel />
      <SecondFactorPanel isOn={me.secondFactor} />
      <SessionsPanel />
      <ExportPanel />
      <DeletionPanel asksCode={me.secondFactor} />
    </>
  );
}

function PasswordPanel() {
  const { mutate, isPending } = useChangePassword();
  return (
    <Panel title="Mot de passe">
      <Quiet>Le changer déconnecte tous vos autres appareils.</Quiet>
      <Folded summary="Changer de mot de passe">
        <Form
          submit="Changer de mot de passe"
          busy={isPending}
          onSend={(fields, form) =>
            mutate(
              {
                currentPassword: textOf(fields, 'currentPassword'),
                password: textOf(fields, 'password'),
              },
              { onSuccess: () => form.reset() },
            )
          }
        >
          <CurrentPasswordField />
          <NewPasswordField label="Nouveau mot de passe" />
        </Form>
      </Folded>
    </Panel>
  );
}

function ExportPanel() {
  const { mutate, isPending } = useExport();
  return (
    <Panel title="Vos données">
      <p>
        Tout ce que Tirelire conserve de vous, dans un fichier JSON{'\u202f'}: compte, banques,
        soldes, notifications et envois.
      </p>
      <Button busy={isPending} onClick={() => mutate()}>
        Télécharger mes données
      </Button>
    </Panel>
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
