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
            <p key={paragraph}>{withLinks(paragraph)}</p>
          ))}
        </section>
      ))}
      <p>
        <Link href="/">Revenir à l'accueil</Link>
      </p>
    </Page>
  );
}

/** The titles of pages that a paragraph may name between quotation marks. */
const pages: Readonly<Record<string, string>> = {
  'Mon compte': '/profil',
  Confidentialité: '/confidentialite',
  Accessibilité: '/accessibilite',
};

/** One of these titles, a site or a mailbox; a full stop after it is not part of it. */
const targets =
  /((?<=«\u202f)(?:Mon compte|Confidentialité|Accessibilité)(?=\u202f»)|(?:https?:\/\/|\bwww\.)[^\s()<>,;]*[\p{L}\d/]|[^\s()<>,;:@]+@[^\s()<>,;:@]*[\p{L}\d])/u;

function withLinks(paragraph: string): ReactNode[] {
  // Every second part is what the pattern matched.
  return paragraph.split(targets).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : pages[part] ? (
      <Link key={part} href={pages[part]}>
        {part}
      </Link>
    ) : (
      <a key={part} href={addressOf(part)}>
        {part}
      </a>
    ),
  );
}

function addressOf(target: string): string {
  if (target.startsWith('www.')) return `https://${target}`;
  return /^https?:/.test(target) ? target : `mailto:${target}`;
}
