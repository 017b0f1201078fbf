/**
 * The name of a bank without what services and people write differently: accents, capitals, signs. Words
 * stay apart by one space.
 */
export function plainName(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
