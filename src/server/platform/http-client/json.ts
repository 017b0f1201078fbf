/**
 * The value of a JSON text that another service sent, without U+0000 in any text of it, which
 * PostgreSQL cannot store. Undefined for what is no JSON.
 */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text.includes('\\u0000') ? text.replaceAll(escapedNull, '$1') : text);
  } catch {
    return undefined;
  }
}

/** With the escaped backslashes before it; after one more, `u0000` is five ordinary characters. */
const escapedNull = /(?<!\\)((?:\\\\)*)\\u0000/g;
