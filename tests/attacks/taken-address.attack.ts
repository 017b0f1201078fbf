import assert from 'node:assert/strict';
import { TOTP } from 'otpauth';
import { fontaine } from '../browser/support/chat.ts';
import { clockOf } from '../browser/support/clock.ts';
import { linkTo } from '../browser/support/mailbox.ts';
import { attack } from './attack.ts';

const next = 'trois petits tours de piste';
const tokenIn = (link: string) => link.split('#jeton=')[1];

export default attack({
  name: 'an account made with the address of a victim, an operator, before the victim comes',
  harmless: false,
  async prepare({ own }) {
    const { demo, chat, signUp } = own();
    const stranger = await signUp({ email: 'exploitation@exemple.fr' });
    const { password: currentPassword } = stranger.details;
    const { body } = await stranger.post('/users/me/second-factor', { currentPassword });
    const timestamp = (await clockOf(demo).now()).getTime();
    const otp = new TOTP({ secret: body.secret.replaceAll(' ', '') }).generate({ timestamp });
    await stranger.post('/users/me/second-factor/confirmation', { otp });
    const slackBotToken = await chat.install(fontaine.id);
    const { body: messenger } = await stranger.post('/messengers', { slackBotToken });
    const change = { slackChannel: fontaine.general, message: 'Pris' };
    await stranger.patch(`/messengers/${messenger.id}`, change);
    return stranger;
  },
  async expect({ own, visitor }, stranger) {
    const { demo } = own();
    const { email } = stranger.details;
    // What a mail scanner that runs pages could send, without a session and a password.
    const token = tokenIn(await linkTo(demo, email, '/confirmation'));
    const opened = await visitor.post('/accounts/email/confirmation', { token });
    assert.equal(opened.body.code, 'Account_Proof_Required', 'the link alone confirms the address');
    assert.equal((await stranger.get('/operations')).status, 404, 'the stranger is an operator');
    await visitor.post('/accounts/password/forgotten', { email });
    const link = tokenIn(await linkTo(demo, email, '/mot-de-passe'));
    await visitor.post('/accounts/password/reset', { token: link, password: next });
    assert.equal((await stranger.get('/users/me')).status, 401, 'the stranger’s session lives');
    const login = await visitor.post('/accounts/login', { email, password: next });
    assert.equal(login.status, 200, `the victim is kept out: ${login.body.code}`);
    const { body } = await visitor.as(login.body.token).get('/users/me');
    const [messenger] = body.messengers;
    assert.deepEqual(
      [body.secondFactor, messenger.stopped, messenger.connected, messenger.nextDate],
      [false, true, false, null],
    );
    return 'the link alone confirms nothing; after the reset nothing of the stranger’s is at work';
  },
});
