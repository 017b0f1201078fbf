import assert from 'node:assert/strict';
import { fontaine } from '../browser/support/chat.ts';
import type { Client } from '../support/person.ts';
import { attack } from './attack.ts';

export default attack({
  name: 'one account that makes notifications, authorisations and sessions without end',
  harmless: false,
  async prepare({ own }) {
    const { chat, signUp } = own();
    const ana = await signUp();
    await ana.post('/messengers', { slackBotToken: await chat.install(fontaine.id) });
    return ana;
  },
  async expect({ visitor }, person) {
    let ana: Client = person;
    const refusals = new Set<string>();
    for (let burst = 0; burst < 15; burst += 1) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => ana.post('/messengers')));
      for (const { status, body } of answers) if (status !== 201) refusals.add(body.code);
    }
    assert.deepEqual([...refusals], ['Too_Many_Messengers'], '151 notifications were made');
    const asked = await Promise.all(
      Array.from({ length: 30 }, () => ana.get('/messengers/slack/connect')),
    );
    assert.equal(asked.filter(({ status }) => status === 200).length, 20);
    const { email, password } = person.details;
    for (let login = 0; login < 55; login += 1) {
      const { body } = await visitor.post('/accounts/login', { email, password });
      assert.equal((await visitor.as(body.token).get('/users/me')).status, 200);
      if (login === 54) ana = visitor.as(body.token);
    }
    const { body: sessions } = await ana.get('/users/me/sessions');
    assert.equal(sessions.length, 50);
    const begun = performance.now();
    const { body } = await ana.get('/users/me');
    const ms = Math.round(performance.now() - begun);
    assert.equal(body.messengers.length, 100);
    const kilobytes = Math.round(JSON.stringify(body).length / 1000);
    return `100 notifications, 20 authorisations, 50 sessions; the profile: ${kilobytes} KB in ${ms} ms`;
  },
});
