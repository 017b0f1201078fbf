/**
 * Changes a name that comes from a bank so that it looks the same, but styles, links and mentions nothing
 * in a message. The notation cannot escape `* _ ~` and the backtick: at the edge of a word they become
 * similar characters. Characters that begin a mention, a link or an emoji are followed by a joiner of no
 * width. What follows the name is read from left to right.
 * Source: docs.slack.dev/messaging/formatting-message-text.
 */
export function neutralize(name: string): string {
  return leftToRightAfter(withoutNotation(name));
}

/** Behind letters written from right to left, the groups of a figure would be drawn in that order too. */
export function leftToRightAfter(text: string): string {
  return rightToLeft.test(text) ? `${text}\u200e` : text;
}

/** Hebrew, Arabic and their neighbours: unicode.org/reports/tr9/#Bidirectional_Character_Types */
const rightToLeft =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

function withoutNotation(name: string): string {
  if (/^[\p{L}\p{N} ()'’&-]*$/u.test(name)) return name;
  return name
    .replace(/`/g, 'ˋ')
    .replace(/(?<![\p{L}\p{N}])[*_~]|[*_~](?![\p{L}\p{N}])/gu, (sign) => lookalikes[sign] ?? sign)
    .replace(/([@#])(?=[\p{L}\p{N}])/gu, `$1${joiner}`)
    .replace(/<(?=[!@#\p{L}])/gu, `<${joiner}`)
    .replace(/:(?=\/\/|[\p{L}\p{N}_+'-]+:)/gu, `:${joiner}`)
    .replace(/(?<=[\p{L}\p{N}])\.(?=\p{L})/gu, `.${joiner}`)
    .replace(/^(?=>)/, joiner);
}

const joiner = '\u2060';

const lookalikes: Record<string, string> = { '*': '∗', _: '＿', '~': '∼' };
