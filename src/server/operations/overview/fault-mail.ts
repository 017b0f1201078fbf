/** The words (French, plain text) about deliveries that fail by a fault of the installation. */
export function faultMail(options: { code: string; deliveryId: string; publicUrl: string }): {
  subject: string;
  body: string;
} {
  return {
    subject: `Tirelire\u202f: des envois échouent (${options.code})`,
    body: [
      'Bonjour,',
      `Un envoi n'est pas arrivé comme prévu, pour une raison que seul l'exploitant peut corriger\u202f: «\u202f${options.code}\u202f».`,
      `Le journal en dit plus sous l'envoi ${options.deliveryId}. Les notifications concernées ne sont pas en pause\u202f: le prochain envoi sera tenté à son heure. En cas de doute\u202f: npm run doctor.`,
      `L'état des envois\u202f: ${options.publicUrl}/exploitation`,
      "Ce courrier n'est envoyé qu'une fois par cause et par jour.",
      'Tirelire',
    ].join('\n\n'),
  };
}
