import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { htmlOfText } from '../../../src/server/platform/mail/html.ts';
import { createSmtpMailer } from '../../../src/server/platform/mail/smtp.ts';

let post: Server;
let received = '';

/** Takes whatever it is handed, as a post office would. */
beforeAll(async () => {
  post = createServer((socket) => {
    let inLetter = false;
    socket.write('220 ici\r\n');
    socket.on('data', (data) => {
      const text = data.toString();
      if (inLetter) received += text;
      if (inLetter && received.endsWith('\r\n.\r\n')) {
        inLetter = false;
        socket.write('250 reçu\r\n');
      } else if (!inLetter) {
        inLetter = text.startsWith('DATA');
        socket.write(inLetter ? '354 allez-y\r\n' : '250 bien\r\n');
      }
    });
    socket.on('error', () => {});
  });
  await new Promise<void>((done) => post.listen(0, '127.0.0.1', done));
});

afterAll(() => new Promise((done) => post.close(done)));

test('a mail arrives as text, as a letter, and with the logo inside', async () => {
  const address = post.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const from = 'Tirelire <bot@exemple.fr>';
  const mailer = createSmtpMailer({ smtpUrl: `smtp://127.0.0.1:${address.port}`, from });
  await mailer.send({ key: 'un', to: 'ana@exemple.fr', subject: 'Bonjour', body: 'Un mot.' });
  await mailer.send({ key: 'un', to: 'ana@exemple.fr', subject: 'Bonjour', body: 'Un mot.' });
  const ids = [...received.matchAll(/^Message-ID: (<\S+@exemple\.fr>)/gim)].map(([, id]) => id);
  expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
  expect(received).toContain('text/plain');
  expect(received).toContain('text/html');
  expect(received).toMatch(/Content-Type: image\/png[\s\S]+Content-Id: <logo@tirelire>/i);
});

test('a letter keeps the paragraphs, links the addresses and lets nobody write HTML', () => {
  const letter = htmlOfText(
    'Bonjour <b>Ana</b>,\n\nOuvrez :\nhttps://exemple.fr/?a=1&b=2#jeton=x\n',
  );
  expect(letter).toContain('Bonjour &lt;b&gt;Ana&lt;/b&gt;,</p>');
  expect(letter).toContain('<a href="https://exemple.fr/?a=1&amp;b=2#jeton=x">');
  expect(letter.match(/<p style="margin:0 0 16px">/g)).toHaveLength(2);
});
