/** The server's error codes that people read in words (specification §8). */
const errorTexts = {
  User_Not_Found: 'Utilisateur non trouvé',
  Wrong_Credentials: 'Identifiants invalides',
  Account_Password_Invalid: 'Mot de passe invalide',
  Email_Already_Exists: 'Adresse email déjà utilisée',
} as const;

/** What the web app announces after an action (specification §8). */
export const noticeTexts = {
  itemDeleted: 'La banque a été supprimée',
  messengerAdded: 'La notification a été créée',
  messengerUpdated: 'Modifications sur la notification enregistrées',
  messengerDeleted: 'La notification a été supprimée',
  messengerPost: "Une notification vient d'être envoyée",
  unknownError: "Une erreur s'est produite lors de l'opération",
  invalidMessenger: 'Les paramètres de la notification ne sont pas valides',
} as const;

/** The catalogue's words for a code, else the message as it came. */
export function errorText(message: string): string {
  return Object.hasOwn(errorTexts, message)
    ? errorTexts[message as keyof typeof errorTexts]
    : message;
}
