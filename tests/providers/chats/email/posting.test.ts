import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { dayAndMonth, hourAndMinute, longDate } from '../../../../src/shared/message/days.ts';
import type { ParsedMail } from '../../../../standins/mail/server.ts';
import { eventually } from '../../../notifications/deliveries/fixture.ts';
import {
  accepted,
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

describe('the own address', () => {
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
    const there = { zone: 'Europe/Paris', offsetMinutes: null };
    const hour = hourAndMinute(app.clock.now(), there);
    const said = new RegExp(
      `Compte courant \\(.+\\) est passé sous 100,00\\s€\\s: 5,00\\s€ \\(${hour}\\)\\.`,
    );
    expect(mail?.body).toMatch(said);
    expect(mail?.html).toMatch(said);
    expect(mail?.subject).toBe(`Alerte du ${dayAndMonth(app.clock.now(), there)}`);
  });

  it('reads the day of its notification in the subject as in the text', async () => {
    const { id } = (await add()).body;
    const hour = { hours: 8, minutes: 0, timeZone: '+1100', zone: 'Pacific/Noumea' };
    expect((await ana.patch(`/messengers/${id}`, { hour, message: '{{date}}' })).status).toBe(200);
    const tomorrow = new Date(app.clock.now().getTime() + 86_400_000).toISOString().slice(0, 10);
    // Where it is eight o'clock of the next day.
    app.clock.set(`${tomorrow}T21:00:00Z`);
    const [mail] = await mailsTo(ana.details.email);
    const there = { zone: 'Pacific/Noumea', offsetMinutes: null };
    expect(mail?.body).toContain(longDate(app.clock.now(), there));
    expect(mail?.subject).toBe(`Votre message du ${dayAndMonth(app.clock.now(), there)}`);
  });
});

describe('whoever gets the mails', () => {
  /** As a mail program does it: no cookie, a form. */
  const oneClick = (mail: ParsedMail | undefined, method = 'POST') => {
    const [, path = ''] =
      /<https:\/\/tirelire\.exemple\.fr\/api(.+)>/.exec(mail?.headers['list-unsubscribe'] ?? '') ??
      [];
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    return method === 'GET'
      ? app.visitor.get(path)
      : app.visitor.send(method, path, { headers: form, body: 'List-Unsubscribe=One-Click' });
  };

  const resumption = '/messengers/mailboxes/resumption';
  /** After a message and until its user was told; gives the token of its link. */
  const unsubscribe = async (id: string, address: string) => {
    await nextDelivery(id);
    const [mail] = await mailsTo(address);
    expect((await oneClick(mail)).status).toBe(200);
    await mailsTo(ana.details.email);
    post.clear();
    return mail ? tokenIn(mail) : '';
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
    const advice = "vos messages n'y partent plus. Son propriétaire peut les redemander";
    const page = await oneClick(mail, 'GET');
    expect(page.status).toBe(303);
    expect(page.headers.get('location')).toMatch(/\/desabonnement#jeton=[A-Za-z0-9_-]{43}$/);
    expect(await messengerNow(id)).toMatchObject({ connected: true, pause: null });

    expect((await oneClick(mail)).status).toBe(200);
    expect(await messengerNow(id)).toMatchObject({
      ...{ connected: false, nextDate: null },
      pause: { action: 'choose-destination', sentence: expect.stringContaining(advice) },
    });
    // Its owner is told, and cannot ask again.
    const [told] = await mailsTo(ana.details.email);
    expect(told?.body).toContain(advice);
    expect(told?.body).not.toMatch(/reliez-la/i);
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

  it('may have them back by a press on the page of their link, for this address alone', async () => {
    const [address, other] = [friend(), friend()];
    const [id, elsewhere] = [await accepted(address), await accepted(other)];
    const token = await unsubscribe(id, address);
    await unsubscribe(elsewhere, other);
    expect((await app.visitor.get(`${resumption}?token=${token}`)).status).toBe(404);
    expect(await messengerNow(id)).toMatchObject({ connected: false });
    for (let times = 0; times < 2; times += 1) {
      expect((await app.visitor.post(resumption, { token })).status).toBe(204);
    }
    const resumed = { connected: true, pause: null, nextDate: expect.any(String) };
    expect(await messengerNow(id)).toMatchObject(resumed);
    expect(await messengerNow(elsewhere)).toMatchObject({ connected: false });
    const [told] = await mailsTo(ana.details.email);
    expect(told?.body).toContain(`de nouveau à l'adresse ${address}`);
    expect(await nextDelivery(id)).toMatchObject({ outcome: 'delivered' });
    expect(await mailsTo(address)).toHaveLength(1);
    // The same link ends them once more.
    expect((await app.visitor.post('/messengers/mailboxes/refusal', { token })).status).toBe(204);
    expect(await messengerNow(id)).toMatchObject({ connected: false });
  });

  it('gets nothing by that press alone where no notification goes there any more', async () => {
    const address = friend();
    const id = await accepted(address);
    const token = await unsubscribe(id, address);
    await ana.delete(`/messengers/${id}`);
    expect((await app.visitor.post(resumption, { token })).status).toBe(204);
    expect((await ana.get('/users/me')).body.messengers).toEqual([]);
    // It is not to be asked once more.
    expect((await add(address)).status).toBe(201);
    expect(post.mails).toEqual([]);
  });

  it('may come back to the own address by a press, with links of old mails still good', async () => {
    const { id } = (await add()).body;
    await nextDelivery(id);
    const [mail] = await mailsTo(ana.details.email);
    await oneClick(mail);
    expect((await messengerNow(id)).pause).toMatchObject({
      action: 'reconnect',
      sentence: expect.stringContaining('Pour les recevoir de nouveau, reliez-la.'),
    });
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
    expect((await app.visitor.post(resumption, { token })).body.code).toBe('Link_Invalid');
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
    expect(await nextDelivery(id, () => true)).toMatchObject({ outcome: 'pending' });
    expect(await endOfWait(id)).toBeCloseTo(900, -1);
    const [delivery] = await eventually(
      async () => (await ana.get(`/messengers/${id}/deliveries`)).body.deliveries,
      ([{ outcome }]) => outcome !== 'pending',
    );
    expect(delivery).toMatchObject({ outcome: 'delivered', resends: 0 });
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
    post.endConnections();
    post.addFault({ at: 'login', answer: '535 5.7.8 Bad credentials' });
    expect(await nextDelivery(id)).toMatchObject({ outcome: 'failed' });
    expect(await messengerNow(id)).toMatchObject({ pause: null });
  });
});

/** Ends the wait of a mail once the server asked for it, and says for how many seconds it was. */
async function endOfWait(messengerId: string): Promise<number> {
  const [ended] = await eventually(
    async () => {
      const { rows } = await sql<{ seconds: number }>`
        update deliveries set run_at = now()
        from (select id, extract(epoch from run_at - now())::float8 as seconds from deliveries
          where messenger_id = ${messengerId} and attempts = 1 and run_at > now() + interval '60 s') waiting
        where deliveries.id = waiting.id and outcome = 'pending'
        returning seconds`.execute(app.services.database.sql);
      return rows;
    },
    ([row]) => row !== undefined,
  );
  return ended?.seconds ?? Number.NaN;
}
