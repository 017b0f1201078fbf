import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { PasswordChange } from '../../shared/contract/accounts.ts';
import type { Me } from '../../shared/contract/users.ts';
import { call, callForResponse } from '../api/call.ts';
import { detailsOf } from '../api/failure.ts';
import { QueryResult } from '../api/QueryResult.tsx';
import { Button } from '../design/Button.tsx';
import { Form } from '../design/Form.tsx';
import { Page } from '../design/Page.tsx';
import styles from '../design/Panel.module.css';
import { Panel, PanelDetails, PanelNote } from '../design/Panel.tsx';
import { showToast } from '../design/toasts/toasts.ts';
import { CurrentPasswordField, NewPasswordField } from '../session/credentials.tsx';
import { meQuery } from '../session/me.ts';
import { withQueries } from '../session/query-client.tsx';
import { DeletionPanel } from './DeletionPanel.tsx';
import { EmailPanel, NamesPanel } from './IdentityPanels.tsx';
import { SecondFactorPanel } from './SecondFactorPanel.tsx';
import { SessionsPanel, sessionsKey } from './SessionsPanel.tsx';

export const ProfilePage = withQueries(function ProfilePage() {
  const me = useQuery(meQuery);
  return (
    <Page title="Mon compte" className={`stack ${styles.page}`}>
      <h1>Mon compte</h1>
      <QueryResult query={me} failed="Votre compte n'a pas pu être chargé." waiting={<Skeleton />}>
        {(data) => <Panels me={data} />}
      </QueryResult>
    </Page>
  );
});

function Panels({ me }: { me: Me }) {
  return (
    <>
      {me.operator && (
        <p>
          <Link href="/exploitation">Administration de ce service</Link>
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
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: PasswordChange) => call('PUT', '/users/me/password', { body }),
    // It also cancels a change of address that waits for its link.
    meta: { changed: [sessionsKey, meQuery.queryKey] },
    onSuccess: () =>
      showToast(
        'success',
        'Votre mot de passe a été changé',
        'Vos autres sessions sont terminées.',
      ),
  });
  return (
    <Panel title="Mot de passe">
      <PanelNote>Le changer déconnecte tous vos autres appareils.</PanelNote>
      <PanelDetails summary="Changer de mot de passe">
        <Form
          submit="Changer de mot de passe"
          busy={isPending}
          refused={detailsOf(error)}
          onSend={(change: PasswordChange, form) =>
            mutate(change, { onSuccess: () => form.reset() })
          }
        >
          <CurrentPasswordField />
          <NewPasswordField label="Nouveau mot de passe" />
        </Form>
      </PanelDetails>
    </Panel>
  );
}

function ExportPanel() {
  const { mutate, isPending } = useMutation({ mutationFn: downloadExport });
  return (
    <Panel title="Vos données">
      <PanelNote>
        Tout ce que Tirelire garde sur vous, dans un fichier JSON{'\u202f'}: compte, banques,
        soldes, notifications et envois.
      </PanelNote>
      <Button busy={isPending} onClick={() => mutate()}>
        Télécharger mes données
      </Button>
    </Panel>
  );
}

/** The file's name is the server's. */
async function downloadExport(): Promise<void> {
  const { disposition, file } = await readExport();
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = /filename="([^"]+)"/.exec(disposition)?.[1] ?? 'tirelire.json';
  link.click();
  // The address is needed until the browser has taken the file over, which it does not tell.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** A long file may take its time, as long as more of it comes. */
async function readExport(): Promise<{ disposition: string; file: Blob }> {
  const limit = new AbortController();
  let silence: ReturnType<typeof setTimeout> | undefined;
  function awaitMore() {
    clearTimeout(silence);
    silence = setTimeout(() => limit.abort(), longestSilenceMs);
  }
  awaitMore();
  try {
    const { headers, body } = await callForResponse('GET', '/users/me/export', {
      limit: limit.signal,
    });
    // The page of a network that asks to sign in first is not the file.
    if (!headers.get('content-type')?.startsWith('application/json')) throw new Error('no file');
    const pieces = body?.pipeThrough(
      new TransformStream({
        transform(piece, controller) {
          awaitMore();
          controller.enqueue(piece);
        },
      }),
    );
    const file = await new Response(pieces).blob();
    return { disposition: headers.get('content-disposition') ?? '', file };
  } finally {
    clearTimeout(silence);
  }
}

const longestSilenceMs = 45_000;

function Skeleton() {
  return (
    <>
      <p role="status" className="unseen">
        Chargement de votre compte…
      </p>
      {['names', 'email', 'password', 'factor', 'sessions'].map((panel) => (
        <div key={panel} className={`surface ${styles.skeleton}`} aria-hidden="true" />
      ))}
    </>
  );
}
