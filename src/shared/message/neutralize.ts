/**
 * A name from a bank as it may stand in a person's text: it looks the same and does nothing there.
 * The chat's notation has no way to escape `* _ ~` and the backtick, so at the edge of a word they
 * are written by their nearest twins; signs that call or link are parted by a joiner of no width.
 * Source: docs.slack.dev/messaging/formatting-message-text.
 */
export function neutralize(name: string): string {
  if (/^[\p{L}\p{N} ()'’&-]*$/u.test(name)) return name;
  return name
    .replace(/`/g, 'ˋ')
    .replace(/(?<![\p{L}\p{N}])[*_~]|[*_~](?![\p{L}\p{N}])/gu, (sign) => twins[sign] ?? sign)
    .replace(/([@#])(?=[\p{L}\p{N}])/gu, `$1${joiner}`)
    .replace(/<(?=[!@#\p{L}])/gu, `<${joiner}`)
    .replace(/:(?=\/\/|[\p{L}\p{N}_+'-]+:)/gu, `:${joiner}`)
    .replace(/(?<=[\p{L}\p{N}])\.(?=\p{L})/gu, `.${joiner}`)
    .replace(/^(?=>)/, joiner);
}

const joiner = '\u2060';

const twins: Record<string, string> = { '*': '∗', _: '＿', '~': '∼' };
