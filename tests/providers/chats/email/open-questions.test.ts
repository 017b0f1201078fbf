import type { KyselyPlugin } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import { confirmMailbox } from '../../../../src/server/notifications/linking/mailboxes/answering.ts';
import { removeOldMailboxRequests } from '../../../../src/server/notifications/linking/mailboxes/queries.ts';
import {
  accepted,
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

/** A notification that goes nowhere: its reader has unsubscribed. */
let id: string;
let bob: string;
let unsubscription: string;
beforeEach(async () => {
  bob = friend();
  id = await accepted(bob);
  await nextDelivery(id);
  const [mail] = await mailsTo(bob);
  unsubscription = mail ? tokenIn(mail) : '';
  await app.visitor.post('/messengers/mailboxes/refusal', { token: unsubscription });
  await mailsTo(ana.details.email);
  post.clear();
});

const path = '/messengers/chats/email/mailboxes';

/** An address is asked whether it takes the place; gives the token of its link. */
async function ask(address: string, messengerId: string | null = id): Promise<string> {
  const given = messengerId === null ? { address } : { address, messengerId };
  const before = post.mails.filter(({ to }) => to === address).length;
  expect((await ana.post(path, given)).status).toBe(202);
  const question = (await mailsTo(address, before + 1)).at(-1);
  return question ? tokenIn(question) : '';
}

async function accept(token: string): Promise<void> {
  const { status } = await app.visitor.post('/messengers/mailboxes/confirmation', { token });
  expect(status).toBe(204);
}

/** Where the daily mail goes, and nowhere else. */
async function goesTo(address: string): Promise<void> {
  expect(await messengerNow(id)).toMatchObject({ slackTeamName: address, connected: true });
  post.clear();
  expect(await nextDelivery(id)).toMatchObject({ outcome: 'delivered' });
  await mailsTo(address);
  const daily = post.mails.filter(({ headers }) => headers['list-unsubscribe']);
  expect(daily.map(({ to }) => to)).toEqual([address]);
}

it('is not taken by an address that was asked before the one that has accepted', async () => {
  const [mistyped, meant] = [friend(), friend()];
  const older = await ask(mistyped);
  await accept(await ask(meant));
  await accept(older);
  await goesTo(meant);
  const { messengers } = (await ana.get('/users/me')).body;
  expect(messengers).toContainEqual(
    expect.objectContaining({ slackTeamName: mistyped, message: '', nextDate: null }),
  );
});

it('waits for the address that is asked last, though an earlier one accepts before it', async () => {
  const [mistyped, meant] = [friend(), friend()];
  const [older, newer] = [await ask(mistyped), await ask(meant)];
  await accept(older);
  expect(await messengerNow(id)).toMatchObject({ slackTeamName: bob, connected: false });
  await accept(newer);
  await goesTo(meant);
});

it('stays with the own address, where its owner did not wait for the answer', async () => {
  const asked = await ask(friend());
  expect((await ana.post(path, { messengerId: id })).status).toBe(200);
  await accept(asked);
  await goesTo(ana.details.email);
});

it('stays with the own address, which was linked at the very moment of the answer', async () => {
  const asked = await ask(friend());
  const { database } = app.services;
  let isLinked = false;
  const meanwhile: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (!isLinked) {
        isLinked = true;
        expect((await ana.post(path, { messengerId: id })).status).toBe(200);
      }
      return result;
    },
  };
  const sql = database.sql.withPlugin(meanwhile);
  await confirmMailbox({ ...app.services, database: { ...database, sql } }, asked);
  await goesTo(ana.details.email);
});

it('stays with the reader who takes the unsubscription back meanwhile', async () => {
  const asked = await ask(friend());
  const resumption = '/messengers/mailboxes/resumption';
  const { status } = await app.visitor.post(resumption, { token: unsubscription });
  expect(status).toBe(204);
  await accept(asked);
  await goesTo(bob);
});

it('goes to the address that was asked, though it was changed meanwhile and works again by itself', async () => {
  const { sql } = app.services.database;
  // A mail server that does not know the address ends no link.
  const { id: refused } = await sql
    .updateTable('messengers')
    .set({ paused_at: app.clock.now(), paused_reason: 'unknown_address' })
    .where('id', '=', await accepted(friend()))
    .returning('id')
    .executeTakeFirstOrThrow();
  id = refused;
  const address = friend();
  const token = await ask(address);
  await ana.patch(`/messengers/${id}`, { message: 'Bonjour' });
  expect(await messengerNow(id)).toMatchObject({ connected: true, pause: null });
  await accept(token);
  await goesTo(address);
});

it('goes to an address that accepts while it has no other place', async () => {
  const address = friend();
  await accept(await ask(address));
  await goesTo(address);
});

it('moves to an address together with another one that was asked for it, by either mail', async () => {
  const other = await accepted(friend());
  const address = friend();
  const first = await ask(address);
  await ask(address, other);
  await accept(first);
  await goesTo(address);
  expect(await messengerNow(other)).toMatchObject({ slackTeamName: address, connected: true });
});

it('goes to an address that was asked again as for a new one', async () => {
  const address = friend();
  const first = await ask(address);
  await ask(address, null);
  await accept(first);
  await goesTo(address);
});

it('tells its owner that an address was refused, once', async () => {
  const address = friend();
  const token = await ask(address);
  const refusal = '/messengers/mailboxes/refusal';
  expect((await app.visitor.post(refusal, { token })).status).toBe(204);
  const [mail, ...more] = await mailsTo(ana.details.email);
  expect(mail?.body).toContain(`Le propriétaire de l'adresse ${address} ne souhaite pas`);
  expect(more).toEqual([]);
  expect(await messengerNow(id)).toMatchObject({ slackTeamName: bob, connected: false });
});

it('leaves a copy of it where that was put', async () => {
  const address = friend();
  const token = await ask(address);
  const { slackBotToken } = await messengerNow(await accepted(friend()));
  const copied = await ana.post(`/messengers/${id}/copies`, { slackBotToken });
  expect(copied.status).toBe(201);
  const { slackTeamName } = copied.body;
  await accept(token);
  expect(await messengerNow(id)).toMatchObject({ slackTeamName: address });
  expect(await messengerNow(copied.body.id)).toMatchObject({ slackTeamName });
});

it('stays where it works again together with another, by a link of that one or of none', async () => {
  const own = await ana.post(path, {});
  const other = own.body.id;
  await ana.patch(`/messengers/${other}`, { message: 'Bonjour' });
  const asked = await ask(friend(), other);
  const { sql } = app.services.database;
  const pause = () =>
    sql
      .updateTable('messengers')
      .set({ paused_at: app.clock.now(), paused_reason: 'own_unsubscribed' })
      .where('id', '=', other)
      .execute();
  await pause();
  expect((await ana.post(path, { messengerId: id })).status).toBe(200);
  await accept(asked);
  expect(await messengerNow(other)).toMatchObject({ slackTeamName: ana.details.email });
});

it('is asked of an address for seven days, also where that had accepted before', async () => {
  const address = friend();
  await accept(await ask(address));
  expect((await ana.post(path, { messengerId: id })).status).toBe(200);
  const { slackTeamName } = await messengerNow(id);
  await ask(address);
  app.clock.advance({ days: 8 });
  await removeOldMailboxRequests(app.services);
  post.clear();
  await accept(await ask(address, null));
  expect(await messengerNow(id)).toMatchObject({ slackTeamName });
});

it('tells its owner of a refusal by an address that had accepted before', async () => {
  const address = friend();
  await accept(await ask(address));
  expect((await ana.post(path, { messengerId: id })).status).toBe(200);
  await mailsTo(ana.details.email, 0);
  post.clear();
  const token = await ask(address);
  await app.visitor.post('/messengers/mailboxes/refusal', { token });
  const mails = await mailsTo(ana.details.email);
  expect(mails.map(({ subject }) => subject)).toContain('Adresse refusée');
});
