import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../../notifications/deliveries/fixture.ts';
import {
  actAs,
  alone,
  ana,
  app,
  association,
  confirm,
  family,
  invite,
  linked,
  messengerNow,
  nextDelivery,
  setUpTelegram,
  standin,
  stateOf,
  supergroup,
} from './fixture.ts';

setUpTelegram();

describe('a linked chat', () => {
  it('gets the test and the daily message', async () => {
    const { id } = await linked();
    expect(await nextDelivery(id)).toMatchObject({ kind: 'daily', outcome: 'delivered' });
    await ana.patch(`/messengers/${id}`, { message: 'Bonjour *à tous* @ana' });
    expect((await ana.post(`/messengers/slack/${id}`, {})).status).toBe(200);
    expect(standin.control.messages(alone)).toHaveLength(2);
    expect(standin.control.mentionCount()).toBe(0);
  });

  it('gets it once, after the wait that Telegram asked for', async () => {
    const { id } = await linked();
    const limit = () => standin.control.addFault({ kind: 'ratelimited', retryAfter: 1 });
    const delivery = await nextDelivery(id, limit, ({ outcome }) => outcome === 'delivered');
    expect(delivery).toMatchObject({ resends: 0 });
    expect(standin.control.messages(alone)).toHaveLength(1);
  });

  it('that has had too many keeps no message from the others', async () => {
    const group = await linked(association);
    const own = await linked();
    const text = { message: 'Bonjour' };
    for (const { id } of [group, own]) await ana.patch(`/messengers/${id}`, text);
    standin.control.addFault({ kind: 'ratelimited', retryAfter: 600, chat: association });
    expect((await ana.post(`/messengers/slack/${group.id}`, {})).status).not.toBe(200);
    expect((await ana.post(`/messengers/slack/${own.id}`, {})).status).toBe(200);
    expect((await ana.post(`/messengers/slack/${group.id}`, {})).status).not.toBe(200);
    expect(standin.control.messages(association)).toEqual([]);
    await app.services.database.sql.deleteFrom('chat_limits').execute();
  });

  it('does not get it twice when the answer is lost', async () => {
    const { id } = await linked();
    const drop = () => standin.control.addFault({ kind: 'drop', posted: true });
    expect(await nextDelivery(id, drop)).toMatchObject({
      ...{ outcome: 'uncertain', resends: 0 },
      reason: "Telegram n'a pas confirmé l'envoi. Le message est peut-être arrivé.",
    });
    expect(standin.control.messages(alone)).toHaveLength(1);
  });

  it('keeps its notification when it becomes a supergroup, and loses no message by it', async () => {
    const { id } = await linked(family);
    standin.control.act(family, 'upgrade-unheard');
    const run = (text: string) => sql.raw(text).execute(app.services.database.sql);
    await run('create sequence moves');
    await run(`create function refuse_first_move() returns trigger language plpgsql as $$ begin
      if nextval('moves') = 1 then raise exception 'no'; end if; return new; end $$`);
    await run(`create trigger refusing before update of channel_id on destinations for each row
      execute function refuse_first_move()`);
    expect(await nextDelivery(id)).toMatchObject({ outcome: 'delivered', resends: 0 });
    await run('drop function refuse_first_move cascade');
    expect((await messengerNow(id)).slackChannel).toBe(String(supergroup));
    expect(standin.control.messages(supergroup)).toHaveLength(1);
    // The removal names the new id alone.
    standin.control.act(supergroup, 'out');
    await eventually(
      () => messengerNow(id),
      ({ connected }) => !connected,
    );
  });

  it('is followed at once where Telegram tells that it became a supergroup', async () => {
    const [group, other] = [-4_300_000_001, -4_300_000_002];
    for (const id of [group, other]) standin.control.addGroup(id, 'Copropriété');
    const { id } = await linked(group);
    const first = ana;
    actAs(await app.signUp());
    const { id: second } = await linked(group);
    const { id: elsewhere } = await linked(other);
    standin.control.act(group, 'upgrade');
    const moved = String(-1_001_000_000_000 + group);
    await eventually(
      () => messengerNow(second),
      ({ slackChannel }) => slackChannel === moved,
    );
    expect((await messengerNow(elsewhere)).slackChannel).toBe(String(other));
    expect((await first.get('/users/me')).body.messengers).toMatchObject([
      { id, slackChannel: moved, connected: true },
    ]);
    expect(await nextDelivery(second)).toMatchObject({ outcome: 'delivered' });
  });

  it('is a topic of a group where the invitation came from one', async () => {
    standin.control.setTopics(association, [77, 78]);
    const threads = () =>
      standin.control.messages(association).map(({ body }) => body.message_thread_id);
    const { code } = await invite();
    standin.control.start(association, code, 77);
    await eventually(threads, (found) => found.length > 0);
    expect(threads()).toEqual([77]);
    const { id, slackChannel } = await linked(association, {}, 77);
    expect(slackChannel).toBe(`${association}_77`);
    expect(await nextDelivery(id)).toMatchObject({ outcome: 'delivered' });
    expect(threads()).toEqual([77]);
    const close = () => standin.control.setTopics(association, [78]);
    await nextDelivery(id, close, ({ outcome }) => outcome === 'failed');
    expect((await messengerNow(id)).pause).toMatchObject({ reason: 'topic_gone' });
  });

  it('is one for each topic of a group, and all of them end with the group', async () => {
    standin.control.setTopics(association, [77, 78, 79]);
    const { id } = await linked(association, {}, 77);
    const { id: other } = await linked(association, {}, 78);
    const channels = async () =>
      await Promise.all([id, other].map(async (one) => (await messengerNow(one)).slackChannel));
    expect(await channels()).toEqual([`${association}_77`, `${association}_78`]);
    await linked(association, { messengerId: id }, 79);
    expect(await channels()).toEqual([`${association}_79`, `${association}_78`]);
    standin.control.act(association, 'out');
    for (const one of [id, other]) {
      await eventually(
        () => messengerNow(one),
        ({ connected }) => !connected,
      );
    }
    await linked(association, { messengerId: id }, 79);
    expect((await messengerNow(other)).connected).toBe(true);
    expect(await channels()).toEqual([`${association}_79`, `${association}_78`]);
  });

  it('is the same topic for a copy in the same group, whichever was linked last', async () => {
    standin.control.setTopics(association, [77, 78]);
    const source = await linked(association, {}, 77);
    await linked(association, {}, 78);
    const { slackBotToken, slackChannelName } = await messengerNow(source.id);
    const { status, body } = await ana.post(`/messengers/${source.id}/copies`, { slackBotToken });
    expect([status, body.slackChannel, body.slackChannelName]).toEqual([
      ...[201, `${association}_77`, slackChannelName],
    ]);
  });

  it('pauses when the bot is blocked, and keeps text and hour when it is linked again', async () => {
    const { id } = await linked();
    await ana.patch(`/messengers/${id}`, { message: 'Le même' });
    standin.control.act(alone, 'out');
    const paused = await eventually(
      () => messengerNow(id),
      ({ connected }) => !connected,
    );
    expect(paused).toMatchObject({
      nextDate: null,
      pause: { action: 'reconnect', sentence: expect.stringContaining('est bloqué') },
    });
    expect(await linked(alone, { messengerId: id })).toMatchObject({
      ...{ id, connected: true, pause: null, message: 'Le même', nextDate: expect.any(String) },
    });
  });

  it('pauses at the next message where the removal was not told', async () => {
    const { id } = await linked();
    const refuse = () =>
      standin.control.addFault({
        ...{ kind: 'error', code: 'Forbidden: user is deactivated', extra: { status: 403 } },
      });
    expect(await nextDelivery(id, refuse)).toMatchObject({ outcome: 'failed' });
    expect(await messengerNow(id)).toMatchObject({
      pause: { action: 'reconnect', reason: 'user_gone' },
    });
  });

  it('takes the place of another one once, however often that is confirmed', async () => {
    const { id } = await linked();
    const invitation = await invite();
    standin.control.start(association, invitation.code);
    await eventually(
      () => stateOf(invitation),
      ({ state }) => state === 'found',
    );
    for (let count = 0; count < 2; count += 1) {
      const { status, body } = await confirm(invitation, { messengerId: id });
      expect([status, body.slackChannel]).toEqual([200, String(association)]);
    }
    const { id: other } = await linked();
    expect((await confirm(invitation, { messengerId: other })).status).toBe(422);
  });

  it('takes the place of another one, and of no notification of somebody else', async () => {
    const { id } = await linked();
    expect(await linked(association, { messengerId: id })).toMatchObject({
      ...{ id, slackTeamName: 'Association des Lilas', slackChannel: String(association) },
    });
    const owner = ana;
    actAs(await app.signUp());
    const invitation = await invite();
    standin.control.start(alone, invitation.code);
    await eventually(
      () => stateOf(invitation),
      ({ state }) => state === 'found',
    );
    expect((await confirm(invitation, { messengerId: id })).status).toBe(404);
    await owner.delete(`/messengers/${id}`);
  });

  it('is left with the account, where it is a group', async () => {
    const group = standin.control.chats().find(({ id }) => id === supergroup);
    standin.control.act(supergroup, 'back');
    await linked(supergroup);
    const currentPassword = ana.details.password;
    const { body } = await ana.post('/users/me/deletion', { currentPassword });
    await eventually(
      async () => (await app.visitor.get(`/accounts/deletions/${body.receipt}`)).body,
      ({ doneDate }) => doneDate !== null,
    );
    expect(group?.bot).toBe('out');
    actAs(await app.signUp());
  });
});
