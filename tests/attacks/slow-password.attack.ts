import assert from 'node:assert/strict';
import { attack } from './attack.ts';

const person = { firstname: 'A', lastname: 'B', cguValidated: true };
let accounts = 0;

export default attack({
  name: 'a password that grows when it is normalised, and takes long to read',
  harmless: false,
  async prepare() {
    return [`${'\u2057'.repeat(1023)}a`, `${'\ufdfa'.repeat(1023)}a`, `${'!'.repeat(1023)}a`];
  },
  async expect({ visitor }, passwords) {
    const timeOf = async (password: string) => {
      accounts += 1;
      const begun = performance.now();
      await visitor.post('/users', { ...person, password, email: `lente${accounts}@exemple.fr` });
      return performance.now() - begun;
    };
    // The same sign-up with an ordinary password, beside which a slow machine does not count.
    const ordinary = Math.max(
      await timeOf('huit petits nuages roses'),
      await timeOf('sept nuages gris'),
    );
    const worst = [];
    for (const password of passwords) worst.push(await timeOf(password));
    const [longest, usual] = [Math.max(...worst), ordinary].map(Math.round) as [number, number];
    assert.ok(longest < 3 * usual + 150, `${longest} ms, and ${usual} ms for an ordinary one`);
    return `${longest} ms at most, ${usual} ms for an ordinary one`;
  },
});
