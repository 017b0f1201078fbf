import { configuration } from '../api/configuration.ts';
import styles from './DocumentPage.module.css';
import { type Article, DocumentPage } from './DocumentPage.tsx';

export function AccessibilityPage() {
  return (
    <DocumentPage title="Accessibilité" articles={articles}>
      <p>
        Tirelire vise le niveau AA du RGAA 4.1. Aucun audit complet n'a été mené par un tiers
        {'\u202f'}: Tirelire ne peut donc pas se dire conforme. Voici ce que ses auteurs ont fait et
        vérifié, thème par thème.
      </p>
      <dl className={styles.themes}>
        {themes.map(([theme, state]) => (
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
  [
    'Comment cela a été vérifié',
    "Par des essais automatiques à chaque modification\u202f: le parcours entier au clavier seul, les règles d'axe sur les pages et leurs principaux états, en clair et en sombre, sur ordinateur et sur téléphone. Aucun essai suivi avec des lecteurs d'écran ni avec des personnes handicapées n'a encore eu lieu.",
  ],
  [
    'Signaler un obstacle',
    `Écrivez à ${configuration.operatorName ?? "l'exploitant de ce service"}, qui vous répond et transmet aux auteurs du logiciel. Sans réponse satisfaisante, vous pouvez saisir le Défenseur des droits (www.defenseurdesdroits.fr).`,
  ],
];

/** RGAA 4.1, one line per theme: what is done, and what is known to be missing. */
const themes = [
  [
    '1. Images',
    "Les dessins décoratifs sont cachés aux lecteurs d'écran. La courbe d'un compte a un équivalent en texte et en tableau\u202f; celle du total se lit jour par jour au clavier, sans tableau.",
  ],
  ['2. Cadres', 'Sans objet\u202f: aucun cadre.'],
  [
    '3. Couleurs',
    "Contrastes d'au moins 4,5:1 pour les textes et 3:1 pour les contrôles, en thème clair et sombre\u202f; aucune information par la couleur seule.",
  ],
  ['4. Multimédia', 'Sans objet\u202f: ni son, ni vidéo.'],
  ['5. Tableaux', 'Les tableaux de données ont un titre et des en-têtes reliés à leurs cellules.'],
  ['6. Liens', "Chaque lien a un intitulé qui se comprend seul ou par ce qui l'entoure."],
  [
    '7. Scripts',
    "Tout s'utilise au clavier\u202f; menus, listes et questions annoncent leur rôle et leur état, rendent le focus, et les avis sont annoncés.",
  ],
  ['8. Éléments obligatoires', 'Langue de la page, titre propre à chaque page, code valide.'],
  [
    "9. Structuration de l'information",
    'Titres emboîtés, zones de la page et listes sont balisés.',
  ],
  [
    "10. Présentation de l'information",
    "Lisible dès 320 pixels de large, ce qui vaut un agrandissement de 400\u202f% sur un écran courant\u202f; le focus se voit. L'espacement augmenté du texte et les couleurs forcées n'ont pas été essayés sur toutes les pages.",
  ],
  [
    '11. Formulaires',
    'Chaque champ a son étiquette, ses consignes et son remplissage automatique\u202f; les erreurs sont écrites à côté du champ, et la première reçoit le focus.',
  ],
  [
    '12. Navigation',
    "Un lien mène au contenu, l'ordre de tabulation suit la lecture, aucun piège au clavier. Il n'y a pas de moteur de recherche ni de plan du site\u202f: les pages sont peu nombreuses et liées en bas de chacune.",
  ],
  [
    '13. Consultation',
    'Rien ne clignote, les mouvements cessent si le système le demande. Les avis se ferment seuls après cinq secondes\u202f: le survol ou le focus les retient. Une session dure 30 jours sans limite de temps sur une page.',
  ],
] as const;
