import { foldLines } from 'nodemailer/lib/mime-funcs';
import MimeNode, { type MimeNodeHeaderMap } from 'nodemailer/lib/mime-node';
import { encode, wrap } from 'nodemailer/lib/qp';
import { logoAttachment } from '../../../platform/mail/html.ts';

export interface Mail {
  /** Those of this mail alone, with `To` among them. */
  headers: MimeNodeHeaderMap;
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
 * time. The library encodes and folds the headers, and reads the addresses in them. The parts stand here,
 * because the library builds a tree of streams for them, which costs several times more than all else of
 * a post.
 */
export function mailWriter(always: MimeNodeHeaderMap): (mail: Mail) => WrittenMail {
  const node = new MimeNode();
  const lines = (headers: MimeNodeHeaderMap) =>
    Object.entries(headers).map(([name, value]) =>
      foldLines(`${name}: ${node.encodeHeaderValue(name, value)}`),
    );
  const { from } = new MimeNode().setHeader(always).getEnvelope();
  const head = [...lines(always), 'MIME-Version: 1.0', `Content-Type: ${alternatives}`];
  return ({ headers, text, html }) => {
    const { to } = node.setHeader('To', headers.To).getEnvelope();
    const bytes = Buffer.from(
      [
        ...lines(headers),
        ...head,
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
    return { envelope: { from, to }, bytes };
  };
}

/** Between the parts. Neither quoted-printable nor base64 can hold `=_` (RFC 2045 §6.7). */
const letters = '=_letters';
const pictures = '=_pictures';
const alternatives = `multipart/alternative; boundary="${letters}"`;

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
