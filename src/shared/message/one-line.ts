/**
 * One line of at most so many characters, without those that turn or hide text. Double braces go too, which
 * would end the variable that contains the name.
 */
export function oneLine(text: string, most: number): string {
  if (text.length <= most && /^[!-zÀ-ÿ](?: ?[!-zÀ-ÿ])*$/.test(text)) return text;
  const clean = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '')
    .replace(/\{\{|\}\}/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...clean];
  return characters.length > most
    ? `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
    : clean;
}
