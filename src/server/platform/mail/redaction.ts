/**
 * Replaces every email address in a text, for what is logged or stored. Goes word by word: one
 * expression for a whole address reads a long word again from each of its letters.
 */
export function redactAddresses(text: string): string {
  return text.replaceAll(words, (word) => (word.includes('@') ? '[…]' : word));
}

/**
 * Replaces what stands before the `@`: an operator needs the domain to find the cause, not the person.
 */
export function redactLocalParts(text: string): string {
  return text.replaceAll(words, (word) => {
    const parts = word.split('@');
    const domain = parts.pop() ?? '';
    return [...parts.map((part) => part && '…'), domain].join('@');
  });
}

const words = /[^\s<>]+/g;
