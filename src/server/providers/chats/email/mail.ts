import { foldLines } from 'nodemailer/lib/mime-funcs';
import MimeNode, { type MimeNodeHeaderMap } from 'nodemailer/lib/mime-node';
import { encode, wrap } from 'nodemailer/lib/qp';
import { logoAttachment } from '../../../platform/mail/html.ts';

export interface Mail {
  /** The one address that it goes to. */
  to: string;
  /** Those of this mail alone, besides `To`. */
  headers: Record<string, string>;
  text: string;
  html: string;
}

export interface WrittenMail {
  /** Whom the server is told: the addresses alone, as it takes them. */
  envelope: { from: string | false; to: string[] };
  bytes: Buffer;
}

/**
 * Writes mails as they are sent (RFC 5322). `always` are the headers that all of them have, with `From`
 * among them: they are encoded once, because encoding them for each mail took a fifth of its processor
 * time. Each line of the body and each header that the mail before had as well is encoded once too. The
 * library encodes and folds them, and reads the addresses in headers. The parts stand here, because the
 * library builds a tree of streams for them, which costs several times more than all else of a post.
 */
export function mailWriter(always: MimeNodeHeaderMap): (mail: Mail) => WrittenMail {
  const node = new MimeNode();
  const [textPart, htmlPart] = [partWriter('text/plain'), partWriter('text/html')];
  const before = new Map<string, { value: string; line: string }>();
  const lineOf = (name: string, value: MimeNodeHeaderMap[string]) =>
    foldLines(`${name}: ${node.encodeHeaderValue(name, value)}`);
  const knownLineOf = ([name, value]: [string, string]) => {
    const known = before.get(name);
    if (known?.value === value) return known.line;
    const line = lineOf(name, value);
    before.set(name, { value, line });
    return line;
  };
  const { from } = new MimeNode().setHeader(always).getEnvelope();
  const head = [
    ...Object.entries(always).map(([name, value]) => lineOf(name, value)),
    'MIME-Version: 1.0',
    `Content-Type: multipart/alternative; boundary="${letters}"`,
    '',
    `--${letters}`,
  ].join('\r\n');
  return ({ to: address, headers, text, html }) => {
    // As an object: a text would be read as a list.
    const to = node.encodeHeaderValue('To', { name: '', address });
    const parts = [
      foldLines(`To: ${to}`),
      ...Object.entries(headers).map(knownLineOf),
      ...[head, textPart(text), related, htmlPart(html), end],
    ];
    const bytes = Buffer.from(parts.join('\r\n'));
    // The header has one that holds more than letters and dots within angle brackets.
    return { envelope: { from, to: [to.replace(/^<(.*)>$/, '$1')] }, bytes };
  };
}

/** Between the parts. Neither quoted-printable nor base64 can hold `=_` (RFC 2045 §6.7). */
const letters = '=_letters';
const pictures = '=_pictures';

/** Before the HTML, with which the logo belongs. */
const related = [
  `--${letters}`,
  `Content-Type: multipart/related; type="text/html"; boundary="${pictures}"`,
  '',
  `--${pictures}`,
].join('\r\n');

/** Most lines of a mail stand in the one before: those of its frame. */
function partWriter(type: string): (content: string) => string {
  const head = `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n`;
  let before = new Map<string, string>();
  return (content) => {
    const encoded = new Map<string, string>();
    const lines = content.split(/\r\n|\r|\n/);
    const last = lines.pop() ?? '';
    const body = lines.map((line) => {
      const known = encoded.get(line) ?? before.get(line) ?? quotedPrintable(`${line}\r\n`);
      encoded.set(line, known);
      return known;
    });
    before = encoded;
    return head + body.join('') + quotedPrintable(last);
  };
}

/** The library folds each line for itself, up to the break that ends it. */
function quotedPrintable(text: string): string {
  return wrap(encode(text));
}

const end = [
  `--${pictures}`,
  `Content-Type: image/png; name=${logoAttachment.filename}`,
  `Content-ID: <${logoAttachment.cid}>`,
  `Content-Disposition: ${logoAttachment.contentDisposition}; filename=${logoAttachment.filename}`,
  'Content-Transfer-Encoding: base64',
  '',
  logoAttachment.content.toString('base64').replaceAll(/.{76}/g, '$&\r\n'),
  `--${pictures}--`,
  '',
  `--${letters}--`,
  '',
].join('\r\n');
