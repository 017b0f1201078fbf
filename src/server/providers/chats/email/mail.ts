import MimeNode, { type MimeNodeHeaderMap } from 'nodemailer/lib/mime-node';
import { encode, wrap } from 'nodemailer/lib/qp';
import { logoAttachment } from '../../../platform/mail/letter.ts';

export interface Mail {
  /** The library encodes and folds them, and reads the addresses in them for the server. */
  headers: MimeNodeHeaderMap;
  text: string;
  html: string;
}

/**
 * A mail as it is sent (RFC 5322). The library writes its headers; its parts stand here, because the
 * library builds a tree of streams for them, which costs several times more than all else of a post.
 */
export function writeMail({ headers, text, html }: Mail): { head: MimeNode; bytes: Buffer } {
  const head = new MimeNode(`multipart/alternative; boundary="${letters}"`).setHeader(headers);
  const bytes = Buffer.from(
    [
      head.buildHeaders(),
      '',
      `--${letters}`,
      ...textPart('text/plain', text),
      `--${letters}`,
      `Content-Type: multipart/related; type="text/html"; boundary="${pictures}"`,
      '',
      `--${pictures}`,
      ...textPart('text/html', html),
      `--${pictures}`,
      ...logoPart,
      `--${pictures}--`,
      '',
      `--${letters}--`,
      '',
    ].join('\r\n'),
  );
  return { head, bytes };
}

/** Between the parts. Neither quoted-printable nor base64 can hold `=_` (RFC 2045 §6.7). */
const letters = '=_letters';
const pictures = '=_pictures';

function textPart(type: string, content: string): string[] {
  return [
    `Content-Type: ${type}; charset=utf-8`,
    'Content-Transfer-Encoding: quoted-printable',
    '',
    wrap(encode(content.replaceAll(/\r\n|\r|\n/g, '\r\n'))),
  ];
}

const logoPart = [
  `Content-Type: image/png; name=${logoAttachment.filename}`,
  `Content-ID: <${logoAttachment.cid}>`,
  `Content-Disposition: ${logoAttachment.contentDisposition}; filename=${logoAttachment.filename}`,
  'Content-Transfer-Encoding: base64',
  '',
  logoAttachment.content.toString('base64').replaceAll(/.{76}/g, '$&\r\n'),
];
