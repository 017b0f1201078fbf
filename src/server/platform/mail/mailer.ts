/** Hands a mail to whoever carries it. Throws when it was not taken: the outbox tries again. */
export interface Mailer {
  send(mail: OutgoingMail): Promise<void>;
}

export interface OutgoingMail {
  to: string;
  subject: string;
  /** Plain text. */
  body: string;
}
