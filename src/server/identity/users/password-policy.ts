import { readFileSync } from 'node:fs';

/**
 * At least twelve characters, and no common password, repetition or row of keys. Every step takes time
 * in proportion to the length: a sign-up gets here without a session.
 */
export function isAcceptablePassword(password: string): boolean {
  const typed = password.normalize('NFKC').toLowerCase();
  return (
    typed.length <= longest &&
    [...typed].length >= 12 &&
    !isCommon(typed) &&
    !isRepetition(typed) &&
    !isKeyboardRun(typed)
  );
}

/**
 * In UTF-16 units, as many as the longest password of the contract can have. NFKC makes up to eighteen
 * characters of one: what grows beyond is refused.
 */
const longest = 2048;

function isCommon(typed: string): boolean {
  return [typed, plainLetters(typed), withoutTail(typed), plainLetters(withoutTail(typed))].some(
    (form) => common.has(form),
  );
}

/**
 * Common passwords of at least twelve characters, and common words that are often extended to twelve
 * with digits and signs. From the frequency lists of zxcvbn (MIT), with French ones added.
 */
const common = new Set(
  readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n'),
);

const letterOfSign: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
};

/** P@ssw0rd → password; spaces, dashes and dots are removed. */
function plainLetters(typed: string): string {
  return typed
    .normalize('NFD')
    .replace(/[\u0300-\u036f\s._-]/g, '')
    .replace(/[013457@$]/g, (sign) => letterOfSign[sign] ?? sign);
}

/** motdepasse2026! → motdepasse */
function withoutTail(typed: string): string {
  const characters = [...typed];
  const last = characters.findLastIndex((letter) => /\p{L}/u.test(letter));
  return characters.slice(0, last + 1).join('');
}

/**
 * One unit again and again: aaaaaaaaaaaa, 123123123123, soleilsoleil. The unit is what the longest
 * beginning that is also an end leaves over (the failure function of Knuth, Morris and Pratt).
 */
function isRepetition(typed: string): boolean {
  const borders = [0];
  let border = 0;
  for (let end = 1; end < typed.length; end += 1) {
    while (border > 0 && typed[end] !== typed[border]) border = borders[border - 1] ?? 0;
    if (typed[end] === typed[border]) border += 1;
    borders.push(border);
  }
  return border > 0 && typed.length % (typed.length - border) === 0;
}

const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890123456789',
  '1234567890123456789012345678901234567890',
  'azertyuiopqsdfghjklmwxcvbn',
  'qwertyuiopasdfghjklzxcvbnm',
];

function isKeyboardRun(typed: string): boolean {
  const backwards = [...typed].reverse().join('');
  return rows.some((row) => row.includes(typed) || row.includes(backwards));
}
