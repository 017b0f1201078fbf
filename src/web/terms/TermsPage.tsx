import { Link } from 'wouter';
import { Page } from '../application/Page.tsx';
import { articles } from './articles.ts';
import styles from './TermsPage.module.css';

export function TermsPage() {
  return (
    <Page title="Conditions Générales d'Utilisation" className={styles.terms}>
      <h1>Conditions Générales d'Utilisation</h1>
      {articles.map(({ title, paragraphs }) => (
        <section key={title}>
          <h2>{title}</h2>
          {paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </section>
      ))}
      <p>
        <Link href="/">Revenir à l'accueil</Link>
      </p>
    </Page>
  );
}
