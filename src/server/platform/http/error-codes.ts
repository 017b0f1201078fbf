/**
 * Every code the API answers with, its HTTP status and its words. The four codes of the
 * specification's §8 carry themselves as message: the web app translates them.
 */
export const refusals = {
  Wrong_Credentials: { statusCode: 401, message: 'Wrong_Credentials' },
  User_Not_Found: { statusCode: 401, message: 'User_Not_Found' },
  Not_Signed_In: { statusCode: 401, message: 'Votre session a expiré. Reconnectez-vous.' },
  Second_Factor_Required: {
    statusCode: 401,
    message: "Saisissez le code de votre application d'authentification.",
  },
  Second_Factor_Invalid: {
    statusCode: 401,
    message: "Ce code n'est pas valable, ou il a déjà servi.",
  },
  Email_Already_Exists: { statusCode: 409, message: 'Email_Already_Exists' },
  Account_Password_Invalid: { statusCode: 422, message: 'Account_Password_Invalid' },
  One_Time_Code_Invalid: {
    statusCode: 422,
    message: "Ce code n'est pas valable, ou il a déjà servi. Saisissez le suivant.",
  },
  Second_Factor_Already_On: {
    statusCode: 409,
    message: 'La validation en deux étapes est déjà activée.',
  },
  Second_Factor_Off: {
    statusCode: 409,
    message: "La validation en deux étapes n'est pas en cours d'activation.",
  },
  Link_Invalid: {
    statusCode: 422,
    message: 'Ce lien a expiré ou a déjà servi. Demandez-en un nouveau.',
  },
  Invalid_Request: { statusCode: 400, message: "La demande n'est pas valide." },
  Not_Found: { statusCode: 404, message: "Cet élément n'existe pas ou plus." },
  Payload_Too_Large: { statusCode: 413, message: 'Le contenu envoyé est trop volumineux.' },
  Unsupported_Media_Type: { statusCode: 415, message: 'Le contenu doit être du JSON.' },
  Too_Many_Requests: {
    statusCode: 429,
    message: 'Trop de demandes en peu de temps. Réessayez dans un instant.',
  },
  Invalid_Messenger: {
    statusCode: 422,
    message: 'Les paramètres de la notification ne sont pas valides',
  },
  Slack_Not_Connected: {
    statusCode: 409,
    message: "Aucun espace Slack n'est connecté. Ajoutez d'abord Slack.",
  },
  Slack_Handle_Invalid: {
    statusCode: 422,
    message: "Cette autorisation Slack n'est plus valable. Recommencez l'ajout à Slack.",
  },
  Slack_Refused: { statusCode: 502, message: 'Slack a refusé cette opération.' },
  Slack_Unavailable: {
    statusCode: 503,
    message: 'Slack ne répond pas pour le moment. Réessayez dans un instant.',
  },
  Delivery_Failed: { statusCode: 409, message: "Le message n'a pas pu être envoyé." },
  Delivery_Unanswered: {
    statusCode: 503,
    message: "Slack n'a pas répondu à temps. Le test est annulé.",
  },
  Bank_Refused: { statusCode: 502, message: 'Le service bancaire a refusé cette opération.' },
  Bank_Unavailable: {
    statusCode: 503,
    message: 'Le service bancaire ne répond pas pour le moment. Réessayez dans un instant.',
  },
  Bank_Management_Limit: {
    statusCode: 429,
    message:
      'Cette banque a déjà été ouverte quatre fois en vingt-quatre heures. Réessayez plus tard.',
  },
  Signature_Invalid: {
    statusCode: 401,
    message: 'Cet appel ne porte pas de signature valable.',
  },
  Not_Ready: { statusCode: 503, message: 'Le service démarre. Réessayez dans un instant.' },
  Internal_Error: {
    statusCode: 500,
    message: "Une erreur s'est produite de notre côté. Réessayez dans un instant.",
  },
} as const satisfies Record<string, { statusCode: number; message: string }>;

export type RefusalCode = keyof typeof refusals;
