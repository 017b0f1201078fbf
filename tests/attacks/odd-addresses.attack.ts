import assert from 'node:assert/strict';
import { attack } from './attack.ts';

export default attack({
  name: 'addresses that a mail program reads as a list, a comment or a route',
  harmless: true,
  async prepare() {
    const domain = 'attaque.invalid';
    const names = ['(1)victime', 'a,root', 'a;root', '"victime"', 'root%interne', 'interne!root'];
    return [...names.map((name) => `${name}@${domain}`), 'root@localhost', 'root@[127.0.0.1]'];
  },
  async expect({ visitor }, addresses) {
    // A password that is refused: no account is made even where the address is taken.
    const person = {
      password: 'motdepasse2026',
      firstname: 'A',
      lastname: 'B',
      cguValidated: true,
    };
    for (const email of addresses) {
      const { status } = await visitor.post('/users', { ...person, email });
      assert.equal(status, 400, `${email} is taken for an address: ${status}`);
    }
    return `${addresses.length} refused`;
  },
});
