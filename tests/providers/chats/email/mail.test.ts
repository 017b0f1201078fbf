import fc from 'fast-check';
import { encode, wrap } from 'nodemailer/lib/qp';
import PostalMime, { type Email } from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { logoAttachment } from '../../../../src/server/platform/mail/html.ts';
import { mailWriter } from '../../../../src/server/providers/chats/email/mail.ts';

const write = mailWriter({ From: 'Tirelire, à l’heure <bot@exemple.fr>' });

const to = 'ana@exemple.org';
const usual = {
  Subject: 'Vos soldes du 3 décembre',
  'Message-ID': '<f81d4fae-7dec-11d0-a765-00a0c91e6bf6@exemple.fr>',
  Date: 'Thu, 03 Dec 2026 08:00:00 +0000',
  'List-Unsubscribe': `<https://exemple.fr/api/fin/${'A'.repeat(200)}>`,
};

interface Read {
  lines: string[];
  mail: Email;
}

/** As another program reads it. */
async function read(headers: object, text = 'Bonjour', html = '<p>Bonjour</p>'): Promise<Read> {
  const { bytes } = write({ to, headers: { ...usual, ...headers }, text, html });
  const lines = bytes.toString('latin1').split('\r\n');
  return { lines, mail: await PostalMime.parse(bytes) };
}

const unix = (text: string | undefined) => (text ?? '').replaceAll(/\r\n?/g, '\n').trimEnd();

describe('the bytes of a mail', () => {
  it('say to another program what was meant', async () => {
    const { mail } = await read({});
    expect(mail).toMatchObject({
      from: { name: 'Tirelire, à l’heure', address: 'bot@exemple.fr' },
      to: [{ address: 'ana@exemple.org' }],
      subject: 'Vos soldes du 3 décembre',
      messageId: usual['Message-ID'],
      date: '2026-12-03T08:00:00.000Z',
    });
    const headers = Object.fromEntries(mail.headers.map(({ key, value }) => [key, value]));
    expect(headers).toMatchObject({
      'list-unsubscribe': usual['List-Unsubscribe'],
      'mime-version': '1.0',
    });
    const [logo] = mail.attachments;
    expect(mail.attachments).toHaveLength(1);
    expect(logo).toMatchObject({ mimeType: 'image/png', contentId: '<logo@tirelire>' });
    expect(Buffer.from(logo?.content as ArrayBuffer)).toEqual(logoAttachment.content);
  });

  it('name the one recipient to the server, by the name of its domain in letters of ASCII', () => {
    const address = 'ana@exémple.org';
    const { envelope } = write({ to: address, headers: usual, text: '', html: '' });
    expect(envelope).toEqual({ from: 'bot@exemple.fr', to: ['ana@xn--exmple-cva.org'] });
  });

  it('hold any text, in lines that every server takes', async () => {
    const awkward = [
      '=_letters',
      '--=_letters--',
      '\r\n.\r\n',
      '\n--=_pictures\n',
      ' \n',
      '=3D',
      'é€😀',
    ];
    const anyText = fc
      .array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(...awkward)), {
        maxLength: 40,
      })
      .map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(anyText, anyText, async (text, html) => {
        const { lines, mail } = await read({}, `.${text}.`, `.${html}.`);
        expect(unix(mail.text)).toBe(unix(`.${text}.`));
        expect(unix(mail.html)).toBe(unix(`.${html}.`));
        expect(mail.attachments).toHaveLength(1);
        for (const line of lines) {
          expect(line).toMatch(/^[\t\x20-\x7e]*$/);
          expect(line.length).toBeLessThanOrEqual(998);
        }
      }),
    );
  });

  it('are those of the library for each line, whatever stood in the mail before', () => {
    const anyLine = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.constantFrom('', ' ', '.', 'é'.repeat(13), ...[74, 75, 76, 77].map((n) => 'x'.repeat(n))),
    );
    const anyText = fc
      .array(fc.tuple(anyLine, fc.constantFrom('\n', '\r', '\r\n', '')), { maxLength: 8 })
      .map((lines) => `${lines.flat().join('')}\n`);
    fc.assert(
      fc.property(fc.array(fc.tuple(anyText, anyText), { minLength: 1, maxLength: 4 }), (mails) => {
        for (const [text, html] of mails) {
          const bytes = write({ to, headers: usual, text, html }).bytes.toString();
          for (const content of [text, html]) {
            const lines = content.replaceAll(/\r\n|\r|\n/g, '\r\n');
            expect(bytes).toContain(`quoted-printable\r\n\r\n${wrap(encode(lines))}\r\n--=_`);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('have the headers that were meant and no others, whatever stands in them', async () => {
    const awkward = [
      '\r\nBcc: eve@exemple.org',
      '\n',
      '\r',
      '\r\n\r\n',
      ' ',
      '\0',
      'é',
      'x'.repeat(200),
    ];
    const anyLine = fc
      .array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(...awkward)), {
        maxLength: 10,
      })
      .map((parts) => `a${parts.join('')}z`);
    const { mail: plain } = await read({});
    const keys = plain.headers.map(({ key }) => key);
    await fc.assert(
      fc.asyncProperty(anyLine, async (line) => {
        for (const key of ['Subject', 'List-Unsubscribe']) {
          const { mail } = await read({ [key]: line });
          expect(mail.headers.map((header) => header.key)).toEqual(keys);
          expect(mail.to?.map(({ address }) => address)).toEqual(['ana@exemple.org']);
          expect(unix(mail.text)).toBe('Bonjour');
        }
      }),
    );
  });
});
