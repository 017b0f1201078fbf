import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { connect, signUp } from '../support/person.ts';
import { attack } from './attack.ts';

export default attack({
  name: 'a mail server on the way that takes STARTTLS out of what it offers',
  harmless: false,
  async prepare({ own }) {
    let said = '';
    const server = createServer((socket) => {
      socket.write('220 ici\r\n');
      socket.on('data', (data) => {
        said += data.toString();
        socket.write(data.toString().startsWith('STARTTLS') ? '502 sans\r\n' : '250 bien\r\n');
      });
      socket.on('close', () => server.emit('left'));
      socket.on('error', () => {});
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    // 0.0.0.0 leads here too, and is not known to be this machine.
    const address = `smtp://0.0.0.0:${Object(server.address()).port}`;
    const demo = await own().startAnother({
      SMTP_URL: address,
      MAIL_FROM: 'Tirelire <tirelire@exemple.fr>',
    });
    return { demo, server, heard: () => said };
  },
  async expect(_target, { demo, server, heard }) {
    const left = once(server, 'left');
    try {
      await signUp(
        connect(demo.url, () => {}),
        { email: 'ana@exemple.fr' },
      );
      await left;
    } finally {
      await demo.stop();
      server.close();
    }
    assert.ok(heard().includes('STARTTLS'), 'no STARTTLS was asked for');
    assert.ok(!/RCPT|jeton|ana@/.test(heard()), 'the mail was said in clear');
    return 'no address and no link was said';
  },
});
