import { configuration } from '../application/configuration.ts';
import { themes } from './accessibility.ts';
import type { Article } from './article.ts';
import styles from './DocumentPage.module.css';
import { DocumentPage } from './DocumentPage.tsx';

export function AccessibilityPage() {
  return (
    <DocumentPage title="Accessibilité" articles={articles}>
      <p>
        Tirelire vise le niveau AA du RGAA 4.1. Aucun audit complet n'a été mené par un tiers
        {'\u202f'}: il ne peut donc pas se dire conforme. Voici ce que ses auteurs ont fait et
        vérifié, thème par thème.
      </p>
      <dl className={styles.themes}>
        {themes.map(({ theme, state }) => (
          <div key={theme}>
            <dt>{theme}</dt>
            <dd>{state}</dd>
          </div>
        ))}
      </dl>
    </DocumentPage>
  );
}

const articles: Article[] = [
  {
    title: 'Comment cela a été vérifié',
    paragraphs: [
      "Par des essais automatiques à chaque modification\u202f: le parcours entier au clavier seul, les règles d'axe sur les pages et leurs principaux états, en clair et en sombre, sur ordinateur et sur téléphone. Aucun essai suivi avec des lecteurs d'écran ni avec des personnes handicapées n'a encore eu lieu.",
    ],
  },
  {
    title: 'Signaler un obstacle',
    paragraphs: [
      `Écrivez à ${configuration.operatorName ?? "l'exploitant de ce service"}, qui vous répond et transmet aux auteurs du logiciel. Sans réponse satisfaisante, vous pouvez saisir le Défenseur des droits (www.defenseurdesdroits.fr).`,
    ],
  },
];
