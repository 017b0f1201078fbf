/**
 * The value of a JSON text that another service sent. U+0000, which PostgreSQL cannot store, is replaced
 * by `substitute` in every text of it. Undefined for what is no JSON.
 */
export function readJson(text: string, substitute: '' | '\ufffd' = ''): unknown {
  try {
    const isClean = !text.includes('\\u0000');
    return JSON.parse(isClean ? text : text.replaceAll(escapedNull, `$1${substitute}`));
  } catch {
    return undefined;
  }
}

/** With the escaped backslashes before it; after one more, `u0000` is five ordinary characters. */
const escapedNull = /(?<!\\)((?:\\\\)*)\\u0000/g;
