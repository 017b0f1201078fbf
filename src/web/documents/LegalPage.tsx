import { configuration } from '../api/configuration.ts';
import { type Article, DocumentPage } from './DocumentPage.tsx';

export function LegalPage() {
  return <DocumentPage title="Mentions légales" articles={articles} />;
}

const { operatorName, demoUrl } = configuration;

/** Only the operator knows more: an installation says who that is, or that it was not said. */
const articles: Article[] = [
  [
    'Exploitant et éditeur de ce service',
    operatorName
      ? `Ce service est exploité et édité par ${operatorName}, qui en est aussi le responsable de publication.`
      : "L'exploitant de cette installation n'a pas donné son nom. Demandez-le à la personne qui vous a donné cette adresse.",
    ...(demoUrl
      ? [
          'Cette installation est une démonstration\u202f: la banque et la messagerie sont fictives.',
        ]
      : []),
  ],
  [
    'Hébergement',
    "Tirelire fonctionne sur un serveur que l'exploitant administre ou loue à l'hébergeur de son choix\u202f; il vous en donne le nom et les coordonnées sur demande.",
  ],
  [
    'Logiciel',
    "Tirelire est un logiciel libre, publié sous licence MIT. Ses auteurs n'exploitent pas ce service et n'ont accès à aucune de ses données.",
    "Les noms des banques, des services qui les relient et des messageries sont des marques de leurs propriétaires, avec lesquels Tirelire n'a pas de lien.",
  ],
  [
    'Données personnelles',
    'La page «\u202fConfidentialité\u202f» dit ce qui est conservé, pourquoi et combien de temps. La page «\u202fAccessibilité\u202f» dit où en est le service pour les personnes handicapées.',
  ],
];
