import { type Article, DocumentPage } from './DocumentPage.tsx';

export function TermsPage() {
  return <DocumentPage title="Conditions Générales d'Utilisation" articles={articles} />;
}

/** What is true of every installation; who runs one says the rest to its own users. */
const articles: Article[] = [
  [
    '1. Qui vous fournit ce service',
    "Tirelire est un logiciel libre que chacun peut installer. Le service que vous utilisez est fourni par la personne ou l'entreprise qui exploite cette installation, appelée ici l'exploitant. Les auteurs du logiciel n'ont accès ni à cette installation, ni à vos données.",
    "L'exploitant est responsable du traitement de vos données personnelles. Pour toute question ou demande, adressez-vous à lui.",
  ],
  [
    '2. Ce que fait Tirelire',
    "Tirelire affiche les comptes et les soldes des banques que vous reliez, et publie chaque jour, à l'heure que vous choisissez, le message que vous avez écrit dans la messagerie que vous avez reliée.",
    'Tirelire ne fait que lire vos soldes et, si vous le demandez, vos opérations. Le logiciel ne peut ni effectuer de virement, ni modifier quoi que ce soit à votre banque, et ne donne aucun conseil financier.',
  ],
  [
    '3. Vos banques',
    "La liaison avec vos banques passe par les services que vous choisissez\u202f: un prestataire d'information sur les comptes, votre banque elle-même, vos relevés ou ce que vous saisissez. Les identifiants donnés sur la page d'une banque ou d'un prestataire ne parviennent pas à Tirelire. Les clés d'accès que vous confiez à Tirelire sont conservées chiffrées et ne servent qu'à lire vos soldes et, si vous le demandez, vos opérations.",
    "Les soldes sont ceux que votre banque a communiqués à la date affichée. Ils peuvent être en retard ou incomplets\u202f: en cas de doute, seul le relevé de votre banque fait foi. Votre autorisation d'accès expire régulièrement\u202f: c'est alors à vous de la renouveler.",
  ],
  [
    '4. Vos messageries',
    "Vous autorisez Tirelire à publier vos messages à l'endroit que vous choisissez et, quand la messagerie le demande, à lire la liste des channels. L'autorisation se retire à tout moment dans les réglages de la messagerie\u202f; les notifications concernées sont alors mises en pause.",
    "Vous choisissez l'endroit et le texte\u202f: assurez-vous que les personnes qui le lisent ont le droit de connaître ce que vous y publiez.",
  ],
  [
    '5. Les données conservées',
    "Sont conservés\u202f: votre adresse email, votre prénom, votre nom, l'empreinte de votre mot de passe (jamais le mot de passe lui-même), le lien vers vos banques, les clés d'accès que vous donnez et les autorisations de vos messageries (chiffrées), l'historique de vos soldes, vos notifications et l'historique de leurs envois pendant 431 jours au plus.",
    "Votre navigateur conserve une preuve de connexion, effacée à la déconnexion. Tirelire ne dépose aucun traceur publicitaire ou de mesure d'audience et ne vend aucune donnée.",
  ],
  [
    '6. Vos droits',
    "Supprimer une banque efface ses comptes de Tirelire et la liaison avec le service qui la lit. Supprimer une notification l'efface avec son message. La page «\u202fMon compte\u202f» vous donne une copie de vos données, permet de les rectifier et de supprimer votre compte. Pour toute autre demande, adressez-vous à l'exploitant\u202f; vous pouvez saisir la CNIL si sa réponse ne vous convient pas.",
  ],
  [
    '7. Votre compte',
    "Choisissez un mot de passe d'au moins 12 caractères que vous n'utilisez nulle part ailleurs, et prévenez l'exploitant si vous pensez qu'une autre personne le connaît. La validation en deux étapes, proposée dans «\u202fMon compte\u202f», protège mieux encore. Ne reliez que des comptes que vous avez le droit de consulter.",
  ],
  [
    '8. Disponibilité et responsabilité',
    "Le logiciel est fourni en l'état, sans garantie, selon les termes de la licence MIT. Banques, services qui les relient et messageries peuvent être indisponibles\u202f; Tirelire le signale quand elle le sait. Un message peut arriver en retard, ou exceptionnellement deux fois quand la réponse de la messagerie s'est perdue\u202f: l'historique des envois l'indique.",
    "N'utilisez pas Tirelire comme seul moyen de surveiller un compte dont dépend un paiement important.",
  ],
  [
    '9. Modification et fin',
    "L'exploitant vous prévient avant de modifier ces conditions. Vous pouvez cesser d'utiliser le service à tout moment et supprimer votre compte depuis la page «\u202fMon compte\u202f».",
  ],
];
