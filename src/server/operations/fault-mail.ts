/** The words (French, plain text) about deliveries that fail by a fault of the installation. */
export function faultMail(options: { code: string; deliveryId: string; publicUrl: string }): {
  subject: string;
  body: string;
} {
  return {
    subject: `Tirelire : des envois échouent (${options.code})`,
    body: [
      'Bonjour,',
      `Un envoi n’est pas arrivé comme prévu, pour une raison que seul l’exploitant peut corriger : « ${options.code} ».`,
      `Le journal en dit plus sous l’envoi ${options.deliveryId}. Les notifications concernées ne sont pas en pause : le prochain envoi sera tenté à son heure. En cas de doute : npm run doctor.`,
      `L’état des envois : ${options.publicUrl}/exploitation`,
      'Ce courrier n’est envoyé qu’une fois par cause et par jour.',
      'Tirelire',
    ].join('\n\n'),
  };
}
