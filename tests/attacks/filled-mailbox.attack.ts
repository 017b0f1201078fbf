import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { mailsTo } from '../browser/support/mailbox.ts';
import { attack } from './attack.ts';

const victim = 'victime-de-courrier';

export default attack({
  name: 'sixty sign-ups that mail one mailbox',
  harmless: false,
  async prepare({ visitor }) {
    let made = 0;
    for (let number = 0; number < 60; number += 1) {
      const email = `${victim}+${number}@exemple.fr`;
      const person = { password: 'huit petits nuages roses', firstname: 'A', lastname: 'B' };
      const { status } = await visitor.post('/users', { ...person, email, cguValidated: true });
      if (status === 201) made += 1;
    }
    return made;
  },
  async expect({ own }, made) {
    const { demo } = own();
    await sleep(1000);
    let mails = 0;
    for (let number = 0; number < 60; number += 1) {
      mails += (await mailsTo(demo, `${victim}+${number}@exemple.fr`)).length;
    }
    assert.ok(made <= 10 && mails <= 10, `${made} accounts and ${mails} mails`);
    return `${made} accounts, ${mails} mails`;
  },
});
