import { ActionLink } from './ActionLink.tsx';
import styles from './Page.module.css';
import { Page } from './Page.tsx';

export function NotFoundPage() {
  return (
    <Page title="Page introuvable" className={styles.narrow}>
      <h1>Page introuvable</h1>
      <p>Cette adresse ne mène à aucune page de Tirelire.</p>
      <ActionLink variant="primary" target="/">
        Revenir à l'accueil
      </ActionLink>
    </Page>
  );
}
