import type { Span } from '../../../shared/message/spans.ts';

/** How a chat writes each sort of span. What stands within a style is written already. */
export interface Notation {
  text(text: string): string;
  /** Within a line. */
  code(text: string): string;
  /** Lines of code of their own. */
  block(text: string): string;
  strong(inner: string): string;
  em(inner: string): string;
  s(inner: string): string;
  quote(inner: string): string;
  link(address: string): string;
}

/** Spans in the notation of a chat. */
export function renderSpans(spans: readonly Span[], notation: Notation): string {
  return spans
    .map((span) => {
      if (span.kind === 'link') return notation.link(span.address);
      if ('text' in span) return notation[span.kind](span.text);
      return notation[span.kind](renderSpans(span.children, notation));
    })
    .join('');
}

/** UTF-8, as most limits count. */
export function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}

/**
 * An address with these signs percent-encoded behind its host. Null for one whose host holds other signs
 * than names do, such as the `@` after a person's name.
 */
export function encodedAddress(address: string, signs: RegExp): string | null {
  const [, start = '', rest = ''] = /^(https?:\/\/[^/?#]*)(.*)$/i.exec(address) ?? [];
  if (!/\/\/[\p{L}\p{N}.:-]+$/u.test(start)) return null;
  return start + rest.replace(signs, encodeSign);
}

function encodeSign(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
