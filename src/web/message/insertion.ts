/**
 * Writes over a part of the text as if it were typed: the page hears of it, and the person can undo
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
