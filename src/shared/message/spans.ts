import { emoji } from './emoji.ts';

/** A piece of a message, drawn in a style that every chat has in some form. */
export type Span =
  | { kind: 'text'; text: string }
  | { kind: 'code' | 'block'; text: string }
  | { kind: 'strong' | 'em' | 's' | 'quote'; children: Span[] }
  | { kind: 'link'; address: string };

/**
 * Cuts a message into spans. Its notation is the one of Slack, for every chat alike:
 * docs.slack.dev/messaging/formatting-message-text.
 */
export function parseSpans(text: string): Span[] {
  return text
    .replace(otherLineEnds, '\n')
    .split(/(```[\s\S]+?```)/)
    .flatMap((part, index) =>
      index % 2 === 1
        ? [{ kind: 'block' as const, text: part.slice(3, -3).replace(/^\n|\n$/g, '') }]
        : quotesIn(part),
    );
}

/** What is pasted from elsewhere may hold them: chats draw some of them, and drop others. */
const otherLineEnds = /\r\n?|[\u2028\u2029]/g;

/** Lines that begin with `>`, those in a row together; the others are left as they are. */
function quotesIn(text: string): Span[] {
  return text.split(/((?:^>.*(?:\n|$))+)/m).flatMap((part, index) => {
    if (part === '') return [];
    if (index % 2 === 0) return inline(part);
    const quoted = part.replace(/\n$/, '').replace(/^> ?/gm, '');
    return [{ kind: 'quote' as const, children: inline(quoted) }];
  });
}

const kinds = { '*': 'strong', _: 'em', '~': 's' } as const;

/** Styles hold between the edges of words, and never over the end of a line. */
const pattern =
  /`([^`\n]+)`|(?<![\p{L}\p{N}])([*_~])(?! )((?:(?!\2).)+?)(?<! )\2(?![\p{L}\p{N}])|(\bhttps?:\/\/[^\s<>|]*[^\s<>|.,;:!?)\]}'"’»*_~`])|:([a-z0-9_+-]+):(?!\/\/)/gu;

function inline(text: string): Span[] {
  const pieces: Span[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const [all, code, sign, styled, address, name] = match;
    const drawn = pieceOf({ code, sign, styled, address, name });
    if (!drawn) continue;
    if (match.index > end) pieces.push({ kind: 'text', text: text.slice(end, match.index) });
    pieces.push(drawn);
    end = match.index + all.length;
  }
  if (end < text.length) pieces.push({ kind: 'text', text: text.slice(end) });
  return pieces;
}

interface Found {
  code: string | undefined;
  sign: string | undefined;
  styled: string | undefined;
  address: string | undefined;
  name: string | undefined;
}

/** Null for the name of an emoji that is not known here: it stays as it is written. */
function pieceOf({ code, sign, styled, address, name }: Found): Span | null {
  if (code !== undefined) return { kind: 'code', text: code };
  if (address !== undefined) return { kind: 'link', address };
  if (sign === '*' || sign === '_' || sign === '~') {
    return { kind: kinds[sign], children: inline(styled ?? '') };
  }
  const drawing = emoji.get(name ?? '');
  return drawing === undefined ? null : { kind: 'text', text: drawing };
}
