import { readFileSync } from 'node:fs';

/** Twelve characters at least, and nothing that a list of common passwords would try first. */
export function isAcceptablePassword(password: string): boolean {
  const typed = password.normalize('NFKC').toLowerCase();
  return (
    [...typed].length >= 12 && !isCommon(typed) && !isRepetition(typed) && !isKeyboardRun(typed)
  );
}

function isCommon(typed: string): boolean {
  return [typed, plainLetters(typed), withoutTail(typed), plainLetters(withoutTail(typed))].some(
    (form) => common.has(form),
  );
}

/**
 * The commonest of twelve characters and more, and the common words that people stretch to twelve
 * with digits and marks. From the frequency lists of zxcvbn (MIT), with French ones added.
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

/** P@ssw0rd → password; spaces, dashes and dots fall away. */
function plainLetters(typed: string): string {
  return typed
    .normalize('NFD')
    .replace(/[\u0300-\u036f\s._-]/g, '')
    .replace(/[013457@$]/g, (sign) => letterOfSign[sign] ?? sign);
}

/** motdepasse2026! → motdepasse */
function withoutTail(typed: string): string {
  return typed.replace(/[^\p{L}]+$/u, '');
}

/** One unit again and again: aaaaaaaaaaaa, 123123123123, soleilsoleil. */
function isRepetition(typed: string): boolean {
  return /^(.+?)\1+$/su.test(typed);
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
