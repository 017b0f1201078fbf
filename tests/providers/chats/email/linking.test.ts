import type { KyselyPlugin } from 'kysely';
import { describe, expect, it } from 'vitest';
import { confirmMailbox } from '../../../../src/server/notifications/linking/mailboxes/answering.ts';
import { addMailbox } from '../../../../src/server/notifications/linking/mailboxes/asking.ts';
import { runHourlyUpkeep } from '../../../../src/server/operations/upkeep/hourly.ts';
import { eventually } from '../../../notifications/deliveries/fixture.ts';
import {
  accepted,
  actAs,
  add,
  ana,
  app,
  friend,
  mailsTo,
  messengerNow,
  nextDelivery,
  post,
  setUpMails,
  tokenIn,
} from './fixture.ts';

setUpMails();

describe('another address', () => {
  it('is asked first, with no word that a user typed', async () => {
    const address = friend();
    const eve = await app.signUp({ firstname: 'Gagnez', lastname: 'mille euros' });
    const { status, body } = await add(address, eve);
    expect([status, body]).toEqual([202, null]);
    const [mail] = await mailsTo(address);
    expect(mail?.body).toMatch(/\/adresse#jeton=/);
    expect(JSON.stringify(mail)).not.toMatch(/Gagnez|mille|personne\d/);
    expect((await eve.get('/users/me')).body.messengers).toEqual([]);
  });

  it('is linked when its owner accepts, and not by a look at the page', async () => {
    const address = friend();
    await add(address);
    const [mail] = await mailsTo(address);
    const token = mail ? tokenIn(mail) : '';
    await app.visitor.get(`/messengers/mailboxes/confirmation?token=${token}`);
    expect((await ana.get('/users/me')).body.messengers).toEqual([]);
    const answer = await app.visitor.post('/messengers/mailboxes/confirmation', { token });
    expect(answer.status).toBe(204);
    expect((await ana.get('/users/me')).body.messengers).toMatchObject([
      { chat: 'email', slackTeamName: address, connected: true },
    ]);
    const again = await app.visitor.post('/messengers/mailboxes/confirmation', { token });
    expect([again.status, again.body.code]).toEqual([422, 'Link_Invalid']);
  });

  it('may accept while who asked has as many notifications as fit, and is added afterwards', async () => {
    const address = friend();
    const { body: own } = await add();
    await add(address);
    const handle = { slackBotToken: own.slackBotToken };
    for (let count = 1; count < 100; count += 1) await ana.post('/messengers', handle);
    const [mail] = await mailsTo(address);
    const token = mail ? tokenIn(mail) : '';
    const path = '/messengers/mailboxes/confirmation';
    expect((await app.visitor.post(path, { token })).status).toBe(204);
    expect((await app.visitor.post(path, { token })).body.code).toBe('Link_Invalid');
    expect((await add(address)).body.code).toBe('Too_Many_Messengers');
    await ana.delete(`/messengers/${own.id}`);
    const added = await add(address);
    expect([added.status, added.body.slackTeamName]).toEqual([201, address]);
  });

  it('is told in its own words when who asked has as many addresses as fit', async () => {
    const address = friend();
    const { body: own } = await add();
    await add(address);
    const handle = { slackBotToken: own.slackBotToken };
    for (let count = 1; count < 100; count += 1) await ana.post('/messengers', handle);
    const { sql } = app.services.database;
    const linked = await sql
      .selectFrom('destinations')
      .selectAll()
      .where('user_id', '=', ana.id)
      .executeTakeFirstOrThrow();
    for (const { id } of (await ana.get('/users/me')).body.messengers.slice(1)) {
      await sql
        .insertInto('destinations')
        .values({ ...linked, id, team_id: id })
        .execute();
      await sql
        .updateTable('messengers')
        .set({ destination_id: id })
        .where('id', '=', id)
        .where('user_id', '=', ana.id)
        .execute();
    }
    const [mail] = await mailsTo(address);
    const token = mail ? tokenIn(mail) : '';
    const path = '/messengers/mailboxes/confirmation';
    const refused = await app.visitor.post(path, { token });
    expect([refused.status, refused.body.code]).toEqual([409, 'Mailbox_Not_Linked']);
    await ana.delete(`/messengers/${own.id}`);
    expect((await app.visitor.post(path, { token })).status).toBe(204);
  });

  it('is not linked by a question that is a week old', async () => {
    const address = friend();
    await add(address);
    const [mail] = await mailsTo(address);
    app.clock.advance({ days: 7, minutes: 1 });
    const token = mail ? tokenIn(mail) : '';
    const answer = await app.visitor.post('/messengers/mailboxes/confirmation', { token });
    expect(answer.body.code).toBe('Link_Invalid');
    await runHourlyUpkeep(app.services);
    const rows = await app.services.database.sql
      .selectFrom('mailboxes')
      .selectAll()
      .where('address', '=', address)
      .execute();
    expect(rows).toEqual([]);
  });

  it('is asked twice in a week at most, whoever asks', async () => {
    const address = friend();
    const eve = await app.signUp();
    expect((await add(address)).status).toBe(202);
    expect((await add(address.toUpperCase().replace('@', '+x@'), eve)).status).toBe(202);
    const third = await add(address, eve);
    expect([third.status, third.body.code]).toEqual([429, 'Mailbox_Asked_Enough']);
    app.clock.advance({ days: 7, minutes: 1 });
    expect((await add(address, await app.signUp())).status).toBe(202);
  });

  it('is asked by one account five times an hour at most', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 7; count += 1) statuses.push((await add(friend())).status);
    expect(statuses.slice(0, 5)).toEqual(Array(5).fill(202));
    expect(statuses.slice(-1)).toEqual([429]);
    const { count } = await app.services.database.sql
      .selectFrom('mailboxes')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', ana.id)
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(statuses.filter((status) => status === 202).length);
  });

  it('is in the export of who asked, with what its owner said, and so is the own one', async () => {
    const [agreed, asked] = [friend(), friend()];
    await add();
    await accepted(agreed);
    await add(asked);
    const mailboxes = (await ana.get('/users/me/export')).body.mailboxes;
    const said = mailboxes.map(({ address, state }: Record<string, string>) => [address, state]);
    expect(Object.fromEntries(said)).toEqual({
      ...{ [ana.details.email]: 'confirmed', [agreed]: 'confirmed', [asked]: 'asked' },
    });
    const now = app.clock.now().toISOString();
    expect(mailboxes[0]).toMatchObject({ createDate: now, updateDate: now });
    const eve = await app.signUp();
    expect((await eve.get('/users/me/export')).body.mailboxes).toEqual([]);
  });

  it('that says no is not asked again by this account, and stays free for others', async () => {
    const address = friend();
    await add(address);
    const [mail] = await mailsTo(address);
    const token = mail ? tokenIn(mail) : '';
    expect((await app.visitor.post('/messengers/mailboxes/refusal', { token })).status).toBe(204);
    const late = await app.visitor.post('/messengers/mailboxes/confirmation', { token });
    expect(late.body.code).toBe('Link_Invalid');
    const again = await add(address);
    expect([again.status, again.body.code]).toEqual([409, 'Mailbox_Unsubscribed']);
    const otherwise = await add(address.replace('@', '+encore@'));
    expect([otherwise.status, otherwise.body.code]).toEqual([409, 'Mailbox_Unsubscribed']);
    expect((await add(address, await app.signUp())).status).toBe(202);
  });

  it('that says no just when it accepts is not linked', async () => {
    const address = friend();
    await add(address);
    const [mail] = await mailsTo(address);
    const token = mail ? tokenIn(mail) : '';
    const { database } = app.services;
    let isNew = true;
    const refusing: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (isNew && result.rows.some((row) => row.address === address)) {
          isNew = false;
          await app.visitor.post('/messengers/mailboxes/refusal', { token });
        }
        return result;
      },
    };
    const services = {
      ...app.services,
      database: { ...database, sql: database.sql.withPlugin(refusing) },
    };
    await expect(confirmMailbox(services, token)).rejects.toMatchObject({ code: 'Link_Invalid' });
    expect((await ana.get('/users/me')).body.messengers).toEqual([]);
    expect((await add(address)).body.code).toBe('Mailbox_Unsubscribed');
  });

  it('ends all mails to it by one refusal, however its letters were written', async () => {
    const address = friend();
    const id = await accepted(address);
    const { slackBotToken } = await messengerNow(id);
    const { body: copy } = await ana.post(`/messengers/${id}/copies`, { slackBotToken });
    const wide = address.replace('org', '\uff4frg');
    const path = '/messengers/chats/email/mailboxes';
    expect((await ana.post(path, { address: wide, messengerId: copy.id })).status).toBe(200);
    await nextDelivery(id);
    const [mail] = post.mails;
    const token = mail ? tokenIn(mail) : '';
    expect((await app.visitor.post('/messengers/mailboxes/refusal', { token })).status).toBe(204);
    expect((await ana.get('/users/me')).body.messengers).toMatchObject([
      { connected: false },
      { connected: false },
    ]);
  });

  it('can take the place of another one: text and hour stay', async () => {
    const id = await accepted(friend());
    await ana.patch(`/messengers/${id}`, { message: 'Le même' });
    const address = friend();
    const path = '/messengers/chats/email/mailboxes';
    expect((await ana.post(path, { address, messengerId: id })).status).toBe(202);
    const [mail] = await mailsTo(address);
    const token = mail ? tokenIn(mail) : '';
    await app.visitor.post('/messengers/mailboxes/confirmation', { token });
    expect(await messengerNow(id)).toMatchObject({ slackTeamName: address, message: 'Le même' });
    const eve = await app.signUp();
    expect((await eve.post(path, { address: friend(), messengerId: id })).status).toBe(404);
  });
});

it('leaves nothing of an address with the account', async () => {
  const address = friend();
  await accepted(address);
  const currentPassword = ana.details.password;
  const { body } = await ana.post('/users/me/deletion', { currentPassword });
  await eventually(
    async () => (await app.visitor.get(`/accounts/deletions/${body.receipt}`)).body,
    ({ doneDate }) => doneDate !== null,
  );
  const { sql } = app.services.database;
  const left = await sql
    .selectFrom('mailboxes')
    .selectAll()
    .where('address', '=', address)
    .execute();
  expect(left).toEqual([]);
  actAs(await app.signUp());
});

it('keeps the link to unsubscribe of mails that go on, where one more link broke off', async () => {
  const { id: messengerId } = (await add()).body;
  const { database } = app.services;
  const breaking: KyselyPlugin = {
    transformQuery({ node }) {
      const isSecret = JSON.stringify(node).includes('"sealed_secret"');
      if (node.kind === 'UpdateQueryNode' && isSecret) throw new Error('the database is away');
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const services = {
    ...app.services,
    database: { ...database, sql: database.sql.withPlugin(breaking) },
  };
  const requester = { userId: ana.id, sessionHash: null, ip: '127.0.0.1' };
  await expect(addMailbox(services, requester, 'email', { messengerId })).rejects.toThrow('away');
  await nextDelivery(messengerId);
  const [mail] = await mailsTo(ana.details.email);
  const token = mail ? tokenIn(mail) : '';
  app.clock.advance({ days: 91 });
  await runHourlyUpkeep(app.services);
  expect((await app.visitor.post('/messengers/mailboxes/refusal', { token })).status).toBe(204);
  // The session of the other one has ended.
  actAs(await app.signUp());
});
