/** The form in which e-mail addresses are compared: one person, however it was typed. */
export function emailKey(email: string): string {
  return email.normalize('NFKC').toLowerCase();
}
