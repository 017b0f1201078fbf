import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startWorker, type Worker } from '../../../../src/server/app/worker.ts';
import { deliverySettings } from '../../../../src/server/notifications/deliveries/settings.ts';
import { runHourlyUpkeep } from '../../../../src/server/operations/upkeep/hourly.ts';
import { createSmtpMailer } from '../../../../src/server/platform/mail/smtp.ts';
import { configuredEmail } from '../../../../src/server/providers/chats/email/definition.ts';
import type { Delivery } from '../../../../src/shared/contract/deliveries.ts';
import {
  type MailStandin,
  startMailStandin,
  type TakenMail,
} from '../../../../standins/mail/server.ts';
import { eventually } from '../../../notifications/deliveries/world.ts';
import { type Application, startApplication } from '../../../support/application.ts';
import { manualClock } from '../../../support/clock.ts';
import type { Person } from '../../../support/person.ts';

/** E-mail from the link to the unsubscription, with the program, its worker and a mail server. */
let post: MailStandin;
let app: Application;
let worker: Worker;
let ana: Person;
let friends = 0;

beforeAll(async () => {
  post = await startMailStandin();
  const sending = { smtpUrl: post.smtpUrl, from: 'Tirelire <bot@exemple.fr>' };
  const chats = [configuredEmail({ ...sending, publicUrl: 'https://tirelire.exemple.fr' })];
  const clock = manualClock();
  app = await startApplication({ clock, chats, mailer: createSmtpMailer(sending) });
  const waits = { backoffSeconds: () => 0.05, longestLimitSeconds: 1 };
  const quick = { idleMs: 20, planAtLeastEveryMs: 20, ...waits };
  worker = await startWorker(app.services, { ...deliverySettings, ...quick });
});
afterAll(async () => {
  await worker.stop();
  await app.close();
  await post.close();
});
beforeEach(async () => {
  ana = await app.signUp();
  await confirm(ana);
  // The mail that greets her.
  await mailsTo(ana.details.email);
  post.clear();
});
// Tomorrow's message of one test must not meet the faults of the next.
afterEach(async () => {
  post.clear();
  for (const { id } of (await ana.get('/users/me')).body.messengers) {
    await ana.delete(`/messengers/${id}`);
  }
});

async function confirm(person: Person): Promise<void> {
  await app.services.database.sql
    .updateTable('users')
    .set({ email_confirmed_at: app.clock.now() })
    .where('id', '=', person.id)
    .execute();
}

const add = (address?: string, person = ana) =>
  person.post('/messengers/chats/email/mailboxes', address ? { address } : {});

function friend(): string {
  friends += 1;
  return `ami${friends}@exemple.org`;
}

/** The mails of that address so far, once there are as many. */
async function mailsTo(address: string, count = 1): Promise<TakenMail[]> {
  return await eventually(
    async () => post.mails.filter(({ to }) => to === address),
    (mails) => mails.length >= count,
  );
}

function tokenIn({ body }: TakenMail): string {
  return /#jeton=([A-Za-z0-9_-]{43})/.exec(body)?.[1] ?? '';
}

/** A friend's address, which its owner has accepted; the id of the notification. */
async function accepted(address: string): Promise<string> {
  await add(address);
  const [question] = await mailsTo(address);
  if (!question) throw new Error('no mail');
  await app.visitor.post('/messengers/mailboxes/confirmation', { token: tokenIn(question) });
  post.clear();
  const [messenger] = (await ana.get('/users/me')).body.messengers;
  return messenger.id;
}

/** A text, and nine o'clock comes: the delivery of that day, once it has ended. */
async function nextDelivery(
  id: string,
  isSo = ({ outcome }: Delivery) => outcome !== 'pending',
): Promise<Delivery> {
  const tomorrow = new Date(app.clock.now().getTime() + 86_400_000).toISOString().slice(0, 10);
  app.clock.set(`${tomorrow}T07:00:00Z`);
  await ana.patch(`/messengers/${id}`, { message: 'Bonjour *à tous*' });
  app.clock.set(`${tomorrow}T08:00:00Z`);
  const [delivery] = await eventually(
    async () => (await ana.get(`/messengers/${id}/deliveries`)).body.deliveries as Delivery[],
    ([first]) => first !== undefined && isSo(first),
  );
  if (!delivery) throw new Error('no delivery');
  return delivery;
}

async function messengerNow(id: string, person = ana) {
  const { messengers } = (await person.get('/users/me')).body;
  return messengers.find((one: { id: string }) => one.id === id);
}

describe('the own address', () => {
  it('is linked by one press, without a mail', async () => {
    const { status, body } = await add();
    expect(status).toBe(201);
    expect(body).toMatchObject({
      ...{ chat: 'email', chatName: 'E-mail', channels: 'one', connected: true },
      relinkLabel: 'Relier une autre adresse',
      ...{ slackTeamName: ana.details.email, slackChannelName: ana.details.email },
    });
    expect(body.slackChannel).not.toContain('@');
    expect(post.mails).toEqual([]);
    // Once more is one more notification.
    expect((await add(ana.details.email.toUpperCase())).body.id).not.toBe(body.id);
  });

  it('is not linked before it is confirmed', async () => {
    const eve = await app.signUp();
    for (const address of [undefined, eve.details.email]) {
      const { status, body } = await add(address, eve);
      expect([status, body.code]).toEqual([409, 'Email_Not_Confirmed']);
    }
    expect((await eve.get('/users/me')).body.messengers).toEqual([]);
  });

  it('gets the test and the daily message, each in a mail of its own', async () => {
    const { id } = (await add()).body;
    const delivery = await nextDelivery(id);
    expect(delivery).toMatchObject({ kind: 'daily', outcome: 'delivered' });
    expect((await ana.post(`/messengers/slack/${id}`, {})).status).toBe(200);
    const mails = await mailsTo(ana.details.email, 2);
    expect(mails).toHaveLength(2);
    for (const { recipients, body, html } of mails) {
      expect(recipients).toEqual([ana.details.email]);
      expect(body).toContain('Bonjour *à tous*');
      expect(html).toContain('Bonjour <strong>à tous</strong>');
    }
  });

  it('gets an alert between two messages', async () => {
    const { id } = (await add()).body;
    await ana.get('/bridge/items/connect');
    const item = app.bank.control.link({ externalUserId: ana.id });
    const [account = 0] =
      app.bank.control.items(ana.id).find((one) => one.id === item)?.accounts ?? [];
    await ana.get('/bridge/items?fresh=1');
    const path = `/messengers/${id}/alerts`;
    const [watched] = (await ana.get(path)).body.accounts;
    const rule = { kind: 'below', account: watched.id, currency_code: 'EUR', amount: 100 };
    expect((await ana.post(path, rule)).status).toBe(201);
    app.clock.advance({ minutes: 5 });
    const updated_at = app.clock.now().toISOString();
    app.bank.control.setAccount(account, { balance: 5, updated_at });
    await ana.get('/bridge/items?fresh=1');
    const [mail] = await mailsTo(ana.details.email);
    const said = /Compte courant \(.+\) est passé sous 100,00\s€\s: 5,00\s€, à l'instant\./;
    expect(mail?.body).toMatch(said);
    expect(mail?.html).toMatch(said);
  });
});

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

describe('whoever gets the mails', () => {
  /** As a mail program does it: no cookie, a form. */
  const oneClick = (mail: TakenMail | undefined, method = 'POST') => {
    const [, path = ''] =
      /<https:\/\/tirelire\.exemple\.fr\/api(.+)>/.exec(mail?.headers['list-unsubscribe'] ?? '') ??
      [];
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    return method === 'GET'
      ? app.visitor.get(path)
      : app.visitor.send(method, path, { headers: form, body: 'List-Unsubscribe=One-Click' });
  };

  it('ends them with one press of their mail program, and a look changes nothing', async () => {
    const address = friend();
    const id = await accepted(address);
    await nextDelivery(id);
    const [mail] = await mailsTo(address);
    expect(mail?.headers).toMatchObject({
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
      'auto-submitted': 'auto-generated',
      'list-id': '<soldes.tirelire.exemple.fr>',
    });
    const look = await oneClick(mail, 'GET');
    expect(look.status).toBe(303);
    expect(look.headers.get('location')).toMatch(/\/desabonnement#jeton=[A-Za-z0-9_-]{43}$/);
    expect(await messengerNow(id)).toMatchObject({ connected: true, pause: null });

    expect((await oneClick(mail)).status).toBe(200);
    expect(await messengerNow(id)).toMatchObject({
      ...{ connected: false, nextDate: null },
      pause: { action: 'reconnect', sentence: expect.stringContaining("s'est désabonnée") },
    });
    // Its owner is told, and cannot ask again.
    const [told] = await mailsTo(ana.details.email);
    expect(told?.body).toContain("s'est désabonnée");
    expect((await add(address)).body.code).toBe('Mailbox_Unsubscribed');
    expect((await oneClick(mail)).status).toBe(200);
  });

  it('ends these mails and no others', async () => {
    const [one, other] = [friend(), friend()];
    const first = await accepted(one);
    await nextDelivery(first);
    const [mail] = await mailsTo(one);
    await add(other);
    const [question] = await mailsTo(other);
    const answer = { token: question ? tokenIn(question) : '' };
    await app.visitor.post('/messengers/mailboxes/confirmation', answer);
    await oneClick(mail);
    const { messengers } = (await ana.get('/users/me')).body;
    const states = messengers.map((at: { slackTeamName: string; connected: boolean }) => [
      ...[at.slackTeamName, at.connected],
    ]);
    expect(states.sort()).toEqual(
      [
        [one, false],
        [other, true],
      ].sort(),
    );
  });

  it('may come back to the own address by a press, with links of old mails still good', async () => {
    const { id } = (await add()).body;
    await nextDelivery(id);
    const [mail] = await mailsTo(ana.details.email);
    await oneClick(mail);
    const again = await add();
    expect([again.status, again.body.id]).toEqual([200, id]);
    expect(again.body).toMatchObject({ connected: true, pause: null });
    expect((await oneClick(mail)).status).toBe(200);
    expect(await messengerNow(id)).toMatchObject({ connected: false });
  });

  it('has ten links that work at most, however often the address is linked again', async () => {
    const { id: messengerId } = (await add()).body;
    const path = '/messengers/chats/email/mailboxes';
    for (let times = 0; times < 12; times += 1) {
      expect((await ana.post(path, { messengerId })).status).toBe(200);
    }
    const { count } = await app.services.database.sql
      .selectFrom('mailbox_tokens')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', ana.id)
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(10);
  });

  it('cannot be ended by a token that is none', async () => {
    const token = 'A'.repeat(43);
    const path = `/messengers/email/unsubscription/${token}`;
    expect((await app.visitor.send('POST', path)).status).toBe(422);
    expect((await app.visitor.post('/messengers/mailboxes/refusal', { token })).status).toBe(422);
    expect((await app.visitor.send('POST', `${path}x`)).status).toBe(400);
  });
});

describe('a mail that is not taken', () => {
  it('pauses its notification when the address does not exist', async () => {
    const { id } = (await add()).body;
    post.addFault({ at: 'recipient', answer: '550 5.1.1 Unknown user', to: ana.details.email });
    expect(await nextDelivery(id)).toMatchObject({ outcome: 'failed' });
    expect(await messengerNow(id)).toMatchObject({
      pause: { reason: 'unknown_address', action: 'resume' },
    });
    expect((await ana.post(`/messengers/${id}/resume`)).status).toBe(200);
    expect(await messengerNow(id)).toMatchObject({ pause: null, nextDate: expect.any(String) });
  });

  it('is sent after the wait when the server asks for one', async () => {
    const { id } = (await add()).body;
    post.addFault({ at: 'recipient', answer: '450 4.2.0 Greylisted', to: ana.details.email });
    const delivery = await nextDelivery(id, ({ outcome }) => outcome === 'delivered');
    expect(delivery).toMatchObject({ resends: 0 });
    expect(await mailsTo(ana.details.email)).toHaveLength(1);
  });

  it('is sent once more with the same id when the answer is lost', async () => {
    const { id } = (await add()).body;
    post.addFault({ at: 'end', kept: true, to: ana.details.email });
    expect(await nextDelivery(id)).toMatchObject({ outcome: 'delivered', resends: 1 });
    const ids = (await mailsTo(ana.details.email, 2)).map(({ headers }) => headers['message-id']);
    expect(new Set(ids).size).toBe(1);
  });

  it('fails and is told to the operator when the password is wrong', async () => {
    const { id } = (await add()).body;
    post.addFault({ at: 'login', answer: '535 5.7.8 Bad credentials' });
    expect(await nextDelivery(id)).toMatchObject({ outcome: 'failed' });
    expect(await messengerNow(id)).toMatchObject({ pause: null });
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
  ana = await app.signUp();
});
