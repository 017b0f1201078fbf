import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { createSmtpMailer } from '../../../src/server/platform/mail/smtp.ts';
import { protectionOf, transportUrl } from '../../../src/server/platform/mail/smtp-address.ts';

/** A mail server without TLS, which keeps what it is told. */
let server: Server;
let port: number;
let told: string[] = [];
/** How long it looks at a mail before it takes it. */
let lookingMs = 0;
beforeAll(async () => {
  server = createServer((socket) => {
    let inLetter = false;
    socket.write('220 ici\r\n');
    socket.on('data', (data) => {
      told.push(...data.toString().split('\r\n'));
      if (inLetter && !data.toString().endsWith('\r\n.\r\n')) return;
      inLetter = data.toString().startsWith('DATA');
      const answer = data.toString().startsWith('STARTTLS') ? '502 sans' : '250 bien';
      const isWhole = data.toString().endsWith('\r\n.\r\n');
      const say = () => socket.write(inLetter ? '354 allez-y\r\n' : `${answer}\r\n`);
      if (isWhole && lookingMs > 0) setTimeout(say, lookingMs);
      else say();
    });
    socket.on('error', () => {});
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  port = Object(server.address()).port;
});
beforeEach(() => {
  told = [];
  lookingMs = 0;
});
afterAll(() => new Promise((done) => server.close(done)));

const from = 'Tirelire <bot@exemple.fr>';
const letter = {
  key: 'un',
  to: 'ana@exemple.fr',
  subject: 'Lien',
  body: 'https://exemple.fr/#jeton=secret',
};
const recipients = () => told.filter((line) => line.startsWith('RCPT TO:'));

/** 0.0.0.0 is no loopback address, and leads to this machine all the same. */
const elsewhere = () => `smtp://0.0.0.0:${port}`;

describe('a mail', () => {
  it('goes in clear to this machine alone', async () => {
    await createSmtpMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from }).send(letter);
    expect(told.join()).toContain('jeton=3Dsecret');
  });

  it('is waited for while the server looks at it, as what is given up arrives twice', async () => {
    lookingMs = 11_000;
    await createSmtpMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from }).send(letter);
    expect(recipients()).toHaveLength(1);
  });

  it('does not leave for another one that offers no STARTTLS', async () => {
    const sent = createSmtpMailer({ smtpUrl: elsewhere(), from }).send(letter);
    await expect(sent).rejects.toThrow(/STARTTLS/i);
    expect(told).toContain('STARTTLS');
    expect(recipients()).toEqual([]);
    expect(told.join()).not.toContain('secret');
  });

  it('leaves for it in clear when the operator says so', async () => {
    await createSmtpMailer({ smtpUrl: `${elsewhere()}?insecure=1`, from }).send(letter);
    expect(told.join()).toContain('jeton=3Dsecret');
  });

  it.each([
    ['(1)ana@exemple.fr', 'RCPT TO:<"(1)ana"@exemple.fr>'],
    ['a,root@exemple.fr', 'RCPT TO:<"a,root"@exemple.fr>'],
    ['Ana<root@exemple.fr', 'RCPT TO:<"Ana root"@exemple.fr>'],
  ])('to %s, which an account may have from before, goes to no other address', async (to, said) => {
    await createSmtpMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from }).send({ ...letter, to });
    expect(recipients()).toEqual([said]);
  });
});

test.each([
  ['smtps://mail.exemple.fr', 'tls'],
  ['smtp://mail.exemple.fr:587', 'tls'],
  ['smtp://mail.exemple.fr?insecure=0', 'tls'],
  ['smtp://mail.exemple.fr?insecure=1', 'insecure'],
  ['smtp://localhost.exemple.fr', 'tls'],
  ['smtp://localhost:25', 'local'],
  ['smtp://127.0.0.1', 'local'],
  ['smtp://127.1.2.3', 'local'],
  ['smtp://[::1]:25', 'local'],
  ['smtp://[::ffff:127.0.0.1]:25', 'local'],
  ['smtp://192.168.0.3', 'tls'],
])('%s is spoken to so: %s', (address, protection) => {
  expect(protectionOf(address)).toBe(protection);
});

test('nothing in the address turns STARTTLS off but the word that is named for it', () => {
  const address = 'smtp://u%40x:p%2F@mail.exemple.fr:587?requireTLS=false&ignoreTLS=true&name=a';
  expect(transportUrl(address)).toBe(
    'smtp://u%40x:p%2F@mail.exemple.fr:587?ignoreTLS=true&name=a&requireTLS=true',
  );
  expect(transportUrl('smtp://mail.exemple.fr?insecure=1')).toBe('smtp://mail.exemple.fr');
});
