import { configuration } from '../api/configuration.ts';
import { type Article, DocumentPage } from './DocumentPage.tsx';

export function PrivacyPage() {
  return (
    <DocumentPage title="Confidentialité" articles={articles}>
      <p>
        Ce que Tirelire conserve, à qui c'est transmis, pendant combien de temps, et comment
        récupérer ou effacer vos données.
      </p>
    </DocumentPage>
  );
}

const operator =
  configuration.operatorName ?? "la personne ou l'entreprise qui exploite ce service";

/** Each sentence is held by the server's code: retention, sealing, erasing. */
const articles: Article[] = [
  [
    'Qui est responsable de vos données',
    `Le responsable du traitement est ${operator}, qui a installé Tirelire sur son propre serveur ou sur un serveur loué. Les auteurs du logiciel ne reçoivent rien\u202f: ni données, ni statistiques.`,
  ],
  [
    'Ce qui est conservé, et pourquoi',
    "Votre compte\u202f: adresse email, prénom, nom, dates de création, d'acceptation des conditions et de confirmation de l'adresse, empreinte du mot de passe (argon2id), et, si vous l'activez, le secret de la validation en deux étapes, chiffré, avec l'empreinte de ses codes de secours. Pour vous reconnaître.",
    "Vos sessions\u202f: l'empreinte de leur jeton, le nom que se donne votre navigateur, leur début et leur dernière utilisation. Pour que vous puissiez les voir et les fermer.",
    "Vos banques\u202f: leur nom, vos comptes, leurs soldes et leur historique, tels que les services que vous reliez les communiquent, que vos relevés les donnent ou que vous les saisissez. Du numéro d'un compte, une empreinte, qui reconnaît le même compte relié deux fois.",
    "Les clés et identifiants d'accès que vous confiez à Tirelire pour lire vos soldes, chez les services qui en demandent\u202f: chiffrés, et effacés avec la dernière banque qu'ils ouvrent. Ce que vous saisissez sur la page de votre banque ou d'un service ne parvient jamais à Tirelire.",
    "Les relevés que vous importez\u202f: lus, puis seuls les comptes et les soldes qu'ils contiennent sont gardés.",
    "Vos opérations\u202f: seulement à votre demande, pour les annoncer dans une notification ou vous montrer ce qu'elle en dirait. Elles sont lues quand vous le demandez ou dans l'heure qui précède le message, gardées chiffrées jusqu'à son départ, puis effacées\u202f; une empreinte de chacune, qui n'en révèle rien, évite pendant 32 jours de l'annoncer deux fois.",
    "Vos messageries\u202f: le nom de chaque endroit que vous reliez et ce qui permet d'y publier (autorisation ou adresse secrète), chiffré\u202f; les adresses email auxquelles vous demandez à écrire, et la réponse reçue. Un bot lit la liste des channels quand la messagerie en a une et ne garde aucune conversation.",
    "Vos notifications, leurs alertes et leurs envois\u202f: channel, heure, texte, montants à surveiller, ce que chaque envoi est devenu et les soldes qu'il a annoncés.",
    "Pour la sécurité\u202f: le nombre d'essais récents, comme ceux de connexion, par compte et par adresse réseau, dont seule l'empreinte est gardée. Les journaux techniques ne contiennent ni soldes, ni messages, ni mots de passe.",
    "Ces traitements sont nécessaires au service que vous demandez (article 6.1.b du RGPD)\u202f; la protection contre les abus relève de l'intérêt légitime (article 6.1.f). Rien n'est vendu, rien ne sert à de la publicité ni à un profilage.",
  ],
  [
    'À qui vos données sont transmises',
    "Aux services que vous choisissez pour relier vos banques\u202f: ce qu'il faut pour lire vos soldes. À Bridge, un identifiant, et votre adresse email quand vous ajoutez une banque. À Enable Banking, un identifiant et, quand vous êtes devant l'écran, votre adresse réseau et ce que votre navigateur dit de lui-même. À Ponto, votre adresse réseau quand vous actualisez une banque. Jamais votre nom.",
    "À chaque messagerie que vous reliez\u202f: les messages, alertes et essais de vos notifications, à l'endroit que vous avez choisi, où les personnes qui y ont accès peuvent les lire. Dans Slack, elles peuvent aussi y demander avec /solde ce que ces messages montrent.",
    "Au serveur de courrier de l'exploitant\u202f: les emails qui vous sont envoyés, et ceux que vous faites envoyer. À personne d'autre.",
  ],
  [
    'Combien de temps',
    "L'historique des soldes et la copie des emails\u202f: 400 jours. Les envois\u202f: de 400 à 431 jours, par mois entiers. Ce qu'une alerte a signalé\u202f: trois jours. Une session\u202f: 30 jours après sa dernière utilisation. Le reste\u202f: tant que votre compte existe.",
    "La suppression du compte efface tout aussitôt, retire l'accès aux banques et aux messageries là où elles le permettent et vous en donne un reçu daté, qui dit ce qui n'a pas pu être retiré. Ce qu'il faut pour retirer ces accès et vous envoyer ce reçu est gardé jusque-là, les clés et autorisations chiffrées\u202f; le reçu, qui ne vous nomme pas, 400 jours. Les sauvegardes que l'exploitant conserve disparaissent à leur propre rythme\u202f: la base intégrée en fait une par jour, et garde les sept dernières.",
  ],
  [
    'Dans votre navigateur',
    "Aucun cookie, aucun traceur, aucune ressource d'un autre site. Votre navigateur garde, jusqu'à votre déconnexion, la preuve de votre connexion, votre choix de masquer les montants et la hauteur des cartes de l'accueil, vos brouillons le temps de l'onglet, et les fichiers de l'application pour s'ouvrir hors ligne. Jamais vos soldes.",
  ],
  [
    'Vos droits',
    'La page «\u202fMon compte\u202f» vous donne une copie de vos données, permet de les rectifier, de fermer vos sessions et de supprimer votre compte.',
    `Pour toute autre demande, adressez-vous à ${operator}. Si la réponse ne vous convient pas, vous pouvez saisir la CNIL (www.cnil.fr).`,
  ],
];
