import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Page } from '../design/Page.tsx';
import styles from './DocumentPage.module.css';

export type Article = readonly [title: string, ...paragraphs: string[]];

interface DocumentPageProps {
  title: string;
  articles: Article[];
  /** Between the title and the articles. */
  children?: ReactNode;
}

/** A page to be read: articles under headings, and the way back. */
export function DocumentPage({ title, articles, children }: DocumentPageProps) {
  return (
    <Page title={title} className={styles.document}>
      <h1>{title}</h1>
      {children}
      {articles.map(([heading, ...paragraphs]) => (
        <section key={heading}>
          <h2>{heading}</h2>
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
