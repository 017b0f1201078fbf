import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { ApiError, failureText } from '../api/failure.ts';
import { isFailed } from '../api/Loaded.tsx';
import { useToken } from '../api/token.ts';
import { useSecretFragment } from '../browser/fragment.ts';
import { buttonClass } from '../design/Button.tsx';
import { Callout } from '../design/Callout.tsx';
import styles from '../design/Page.module.css';
import { Page } from '../design/Page.tsx';
import { Retry } from '../design/Retry.tsx';
import { withQueries } from '../session/query-client.tsx';
import { confirmationQuery } from './queries.ts';

/** Opened by the link of a mail: the address that received it is its owner's. */
export const ConfirmationPage = withQueries(function ConfirmationPage() {
  const { value: token, opened } = useSecretFragment('jeton');
  const [target, label] =
    useToken() === null ? ['/login', 'Se connecter'] : ['/profil', 'Aller à mon compte'];
  const query = useQuery(confirmationQuery(token, opened));
  const { isSuccess, isFetching, error, refetch } = query;
  const isRefused = error instanceof ApiError;
  const isUnanswered = isFailed(query) && !isRefused;
  return (
    <Page key={opened} title="Adresse email" className={styles.narrow}>
      <h1>Confirmation de votre adresse</h1>
      <div role="status">
        {isFetching && !isUnanswered && <p>Confirmation en cours…</p>}
        {isSuccess && <p>Votre adresse est confirmée, merci.</p>}
      </div>
      {token === null && (
        <Refused>
          Ce lien n'est pas complet. Ouvrez-le depuis l'email, ou demandez-en un autre depuis votre
          compte.
        </Refused>
      )}
      {isRefused && <Refused>{failureText(error)}</Refused>}
      {isUnanswered && (
        <Retry
          text="Votre adresse n'a pas pu être confirmée."
          busy={isFetching}
          onRetry={refetch}
        />
      )}
      <Link href={target} className={buttonClass(isSuccess ? 'primary' : 'plain')}>
        {label}
      </Link>
    </Page>
  );
});

function Refused({ children }: { children: string }) {
  return (
    <div role="alert">
      <Callout look="failure">{children}</Callout>
    </div>
  );
}
