import assert from 'node:assert/strict';
import { bonnard, fontaine } from '../browser/support/chat.ts';
import { attack } from './attack.ts';

export default attack({
  name: 'a test message to a person, and to channels that the installation does not list',
  harmless: false,
  async prepare({ own }) {
    const { chat, signUp } = own();
    const ana = await signUp();
    const slackBotToken = await chat.install(fontaine.id);
    const { body } = await ana.post('/messengers', { slackBotToken });
    return { ana, id: body.id as string };
  },
  async expect({ own }, { ana, id }) {
    const { chat } = own();
    for (const slackChannel of ['U0VICTIM', 'D0VICTIM', bonnard.general]) {
      const answer = await ana.post(`/messengers/slack/${id}`, { message: 'Pris', slackChannel });
      assert.deepEqual([answer.status, answer.body.code], [422, 'Invalid_Messenger']);
    }
    assert.ok(!(await chat.texts(bonnard.id, bonnard.general)).includes('Pris'));
    await chat.fail({ kind: 'status', status: 503, method: 'conversations.info', times: null });
    const draft = { message: 'Pris', slackChannel: fontaine.treasury };
    const away = await ana.post(`/messengers/slack/${id}`, draft);
    await chat.recover();
    assert.equal(away.status, 503);
    assert.ok(!(await chat.texts(fontaine.id, fontaine.treasury)).includes('Pris'));
    return 'three refused, and one while the chat cannot be asked';
  },
});
