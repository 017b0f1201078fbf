/** A webhook's text is written in Slack's notation too: the server translates it before it saves. */
export function slackNotation(text: string): string {
  return text
    .replace(/<!(channel|here|all|everyone)(\|[^<>]*)?>/gi, '@$1')
    .replace(/<@?([\w.-]+)>/g, '@$1')
    .replace(/<(https?:\/\/[^<>|]+)\|([^<>]*)>/g, '[$2]($1)');
}

/**
 * How many people or groups a post calls. As the server looks for them: entities are letters, a word
 * ends at every sign that is no letter, no digit and none of `: . - _ @`, and is looked up whole, without
 * the signs at its ends, and in pieces. Every name exists here.
 */
export function countMentions(text: string): number {
  const letters = text
    .replace(/&#x([0-9a-f]{1,6});/gi, (_all, code: string) => fromCode(Number.parseInt(code, 16)))
    .replace(/&#(\d{1,7});/g, (_all, code: string) => fromCode(Number(code)))
    .replace(/&commat;/g, '@');
  return letters
    .split(/[^\p{L}\p{N}:.\-_@]+/u)
    .flatMap((word) => [word, ...word.split(/[.\-:]/)])
    .filter((word) => /^[:.\-_]*@[\p{L}\p{N}]/u.test(word)).length;
}

function fromCode(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}
