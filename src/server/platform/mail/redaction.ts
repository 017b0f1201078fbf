/**
 * Replaces every email address in a text, for what is logged or stored. Goes word by word: the
 * time of one expression for whole addresses grows with the square of a word's length.
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
