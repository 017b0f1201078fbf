import { describe, expect, it } from 'vitest';
import { userCommand } from '../../../support/user-command.ts';
import { add, ana, app, post, setUpMails } from './fixture.ts';

setUpMails();

describe('the own address', () => {
  it('is linked by one press, without a mail', async () => {
    const { status, body } = await add();
    expect(status).toBe(201);
    expect(body).toMatchObject({
      ...{ chat: 'email', chatName: 'Email', channels: 'one', connected: true },
      relinkLabel: 'Relier une autre adresse',
      placePhrase: `par email à ${ana.details.email}`,
      ...{ slackTeamName: ana.details.email, slackChannelName: ana.details.email },
    });
    expect(body.slackChannel).not.toContain('@');
    expect(post.mails).toEqual([]);
  });

  it('is linked once more by one more press, where the first notification has a text', async () => {
    const { body } = await add();
    const again = await add();
    expect([again.status, again.body.id]).toEqual([200, body.id]);
    await ana.patch(`/messengers/${body.id}`, { message: 'Bonjour' });
    const other = await add(ana.details.email.toUpperCase());
    expect(other.status).toBe(201);
    expect(other.body.id).not.toBe(body.id);
  });

  it('is not linked before it is confirmed', async () => {
    const eve = await app.signUp();
    for (const address of [undefined, eve.details.email]) {
      const { status, body } = await add(address, eve);
      expect([status, body.code]).toEqual([409, 'Email_Not_Confirmed']);
    }
    expect((await eve.get('/users/me')).body.messengers).toEqual([]);
  });

  it('is the own one in both spellings of its domain', async () => {
    const bea = await app.signUp({ email: 'bea@société.fr' });
    await userCommand(app.services, 'confirm', bea.details.email);
    const first = await add(undefined, bea);
    const second = await add('bea@xn--socit-esab.fr', bea);
    expect([first.status, second.status]).toEqual([201, 200]);
    const rows = app.services.database.sql.selectFrom('destinations').select('id');
    expect(await rows.where('user_id', '=', bea.id).execute()).toHaveLength(1);
    expect(post.mails).toEqual([]);
  });
});
