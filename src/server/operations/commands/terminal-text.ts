/**
 * A text of people, files or services for the operator's terminal, on one line: control characters, which a
 * terminal obeys, ends of line and marks that turn the direction of what follows become blanks.
 */
export function terminalText(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ');
}
