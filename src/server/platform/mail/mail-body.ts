/** French, plain text. Without a name, because an unconfirmed address may belong to another person. */
export function mailBody(...paragraphs: string[]): string {
  return ['Bonjour,', ...paragraphs, 'Tirelire'].join('\n\n');
}
