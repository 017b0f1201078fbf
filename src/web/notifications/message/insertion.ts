/**
 * Writes over a part of the text as if it were typed: React gets its event, and the person can undo
 * it, which `setRangeText` alone does not allow.
 */
export function insertText(
  textarea: HTMLTextAreaElement,
  { from, to }: { from: number; to: number },
  text: string,
): void {
  textarea.focus();
  textarea.setSelectionRange(from, to);
  if (document.execCommand('insertText', false, text)) return;
  textarea.setRangeText(text, from, to, 'end');
  textarea.dispatchEvent(new Event('input', { bubbles: true }));
}

/** A variable that is put after a word by a button stands apart from it, as a typist would leave it. */
export function withSpaceBefore(text: string, from: number, variable: string): string {
  const isTyped = text.startsWith('{{', from);
  const before = text.slice(0, from);
  return isTyped || before === '' || /[\s([«"'’]$/.test(before) ? variable : ` ${variable}`;
}
