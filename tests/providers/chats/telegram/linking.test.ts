import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startPolling } from '../../../../src/server/notifications/linking/invitations/polling.ts';
import { runHourlyUpkeep } from '../../../../src/server/operations/upkeep/hourly.ts';
import type { LinkedTeam, Polling } from '../../../../src/server/providers/chats/port.ts';
import { eventually } from '../../../notifications/deliveries/fixture.ts';
import { startApplication } from '../../../support/application.ts';
import {
  alone,
  ana,
  answerIn,
  app,
  association,
  configuredBot,
  confirm,
  family,
  invite,
  linked,
  messengerNow,
  path,
  setUpTelegram,
  standin,
  stateOf,
  worker,
} from './fixture.ts';

setUpTelegram();

describe('an invitation', () => {
  it('leads to the bot, for oneself or for a group', async () => {
    const { code, url, groupUrl, expireDate } = await invite();
    expect(code).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(url).toBe(`${standin.url}/${standin.bot}?start=${code}`);
    expect(groupUrl).toBe(`${standin.url}/${standin.bot}?startgroup=${code}`);
    expect(Date.parse(expireDate) - app.clock.now().getTime()).toBe(600_000);
    expect(await (await fetch(url)).text()).toContain('Démarrer');
  });

  it('links nothing before the person has seen whose chat it is and says yes', async () => {
    const invitation = await invite();
    expect(await stateOf(invitation)).toEqual({ state: 'waiting', name: null });
    expect((await confirm(invitation)).body.code).toBe('Telegram_Link_Invalid');
    standin.control.start(family, invitation.code);
    await eventually(
      () => stateOf(invitation),
      ({ state }) => state === 'found',
    );
    expect(await stateOf(invitation)).toEqual({ state: 'found', name: 'Famille Martin' });
    expect((await ana.get('/users/me')).body.messengers).toEqual([]);
    const { status, body } = await confirm(invitation);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      ...{ chat: 'telegram', channels: 'one', slackTeamName: 'Famille Martin', connected: true },
      relinkLabel: 'Relier une autre conversation',
      slackChannel: String(family),
    });
    // The same press once more changes nothing.
    const again = await confirm(invitation);
    expect([again.status, again.body.id]).toEqual([200, body.id]);
  });

  it('is good once, for ten minutes, and for its own user', async () => {
    const [invitation, old] = [await invite(), await invite()];
    standin.control.start(alone, invitation.code);
    await answerIn(alone, /Revenez dans Tirelire/);
    standin.control.start(association, invitation.code);
    await answerIn(association, /plus valable/);
    expect((await stateOf(invitation)).name).toBe('Ana Durand');
    const eve = await app.signUp();
    expect(await stateOf(invitation, eve)).toEqual({ state: 'expired', name: null });
    expect((await confirm(invitation, {}, eve)).body.code).toBe('Telegram_Link_Invalid');
    app.clock.advance({ minutes: 11 });
    standin.control.clearMessages();
    standin.control.start(alone, old.code);
    await answerIn(alone, /plus valable/);
    expect(await stateOf(old)).toEqual({ state: 'expired', name: null });
    expect((await confirm(invitation)).body.code).toBe('Telegram_Link_Invalid');
  });

  it('that was taken in its last minute waits ten more for the yes, whatever is tidied up', async () => {
    const invitation = await invite();
    app.clock.advance({ minutes: 9 });
    standin.control.start(alone, invitation.code);
    await eventually(
      () => stateOf(invitation),
      ({ state }) => state === 'found',
    );
    app.clock.advance({ minutes: 9 });
    await runHourlyUpkeep(app.services);
    expect((await stateOf(invitation)).state).toBe('found');
    expect((await confirm(invitation)).status).toBe(201);
    app.clock.advance({ minutes: 11 });
    await runHourlyUpkeep(app.services);
    const kept = app.services.database.sql.selectFrom('destination_authorizations').selectAll();
    expect(await kept.where('user_id', '=', ana.id).execute()).toEqual([]);
  });

  it('is explained to whoever starts the bot without one', async () => {
    standin.control.start(alone, '');
    await answerIn(alone, /reliez Telegram dans Tirelire/);
    standin.control.start(alone, 'A'.repeat(22));
    await answerIn(alone, /plus valable/);
  });

  it('waits for Telegram to tell the name of the bot, which the start does not', async () => {
    const questions = () =>
      standin.control.requests().filter(({ path }) => path.endsWith('/getMe')).length;
    const before = questions();
    const other = await startApplication({ clock: app.clock, chats: [configuredBot()] });
    onTestFinished(other.close);
    const person = await other.signUp();
    expect(questions()).toBe(before);
    // Its failures are none of the person's: they do not count among the tries.
    standin.control.addFault({ kind: 'status', status: 502, method: 'getMe', times: 11 });
    for (let count = 0; count < 11; count += 1) {
      const { status, body } = await person.post(path);
      expect([status, body.code]).toEqual([503, 'Telegram_Unavailable']);
      expect(body.message).toBe(
        'Telegram ne répond pas pour le moment. Réessayez dans un instant.',
      );
    }
    const extra = { status: 401 };
    standin.control.addFault({ kind: 'error', code: 'Unauthorized', extra, method: 'getMe' });
    const refused = await person.post(path);
    expect([refused.status, refused.body.code]).toEqual([502, 'Telegram_Refused']);
    expect((await invite(person)).url).toContain(`/${standin.bot}?start=`);
  });

  it('can be asked for ten times, and then less often', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 12; count += 1) statuses.push((await ana.post(path)).status);
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(201));
    expect(statuses.slice(-1)).toEqual([429]);
    expect((await ana.post('/messengers/chats/slack/invitations')).status).toBe(404);
  });
});

describe('the one who listens', () => {
  const conflicts = () => standin.control.conflicts();
  const waits = { forLease: 20, afterFailure: 20, longest: 20 };

  it('is one process among several, and another takes over when it ends', async () => {
    const others = [startPolling(app.services, waits), startPolling(app.services, waits)];
    const before = conflicts();
    const { id } = await linked();
    expect(conflicts()).toBe(before);
    await worker.stop();
    standin.control.act(alone, 'out');
    await eventually(
      () => messengerNow(id),
      ({ connected }) => !connected,
    );
    expect(conflicts()).toBe(before);
    await Promise.all(others.map((other) => other.stop()));
    const holders = app.services.database.sql.selectFrom('chat_listeners').selectAll();
    expect(await holders.execute()).toEqual([]);
  });

  it('leaves the rest of the events to its successor when they took longer than its lease', async () => {
    const taken: string[] = [];
    const leaseOver = () =>
      app.services.database.sql
        .updateTable('chat_listeners')
        .set({ held_until: new Date(0) })
        .where('chat', '=', 'slow')
        .execute();
    /** Three events, given again until they were all taken; the first asker is slow over the first. */
    const eventsFor = (name: string, isSlow: boolean): Polling => ({
      async read(after, take, signal) {
        const code = 'A'.repeat(22);
        const event = { kind: 'invitation' as const, code, link: {} as LinkedTeam };
        const next = after === null ? taken.length : Number(after);
        for (let number = next; number < 3; number += 1) {
          await take(event);
          taken.push(`${name} ${number}`);
          if (!isSlow) continue;
          await leaseOver();
          await eventually(
            () => taken.length,
            (count) => count === 3,
          );
        }
        if (taken.length === 3) await sleep(50, undefined, { signal }).catch(() => {});
        return String(Math.max(next, taken.length));
      },
    });
    const listen = (name: string, isSlow: boolean) => {
      const chats = new Map([['slow', { polling: eventsFor(name, isSlow) } as never]]);
      return startPolling({ ...app.services, chats }, waits);
    };
    const first = listen('first', true);
    await eventually(
      () => taken.length,
      (count) => count === 1,
    );
    const second = listen('second', false);
    await eventually(
      () => taken.length,
      (count) => count === 3,
    );
    await Promise.all([first.stop(), second.stop()]);
    expect(taken).toEqual(['first 0', 'second 1', 'second 2']);
  });

  it('gets on with what strangers write, however long', async () => {
    for (let count = 0; count < 120; count += 1) standin.control.start(alone, '€'.repeat(4000));
    const invitation = await invite();
    standin.control.start(association, invitation.code);
    const listening = startPolling(app.services, waits);
    await eventually(
      () => stateOf(invitation),
      ({ state }) => state === 'found',
    );
    await listening.stop();
  });

  it('ends without waiting for its answers to people', async () => {
    const answers = () =>
      standin.control.requests().filter(({ path }) => path.endsWith('/sendMessage')).length;
    standin.control.clearRequests();
    standin.control.addFault({ kind: 'stall', method: 'sendMessage', times: null });
    for (let count = 0; count < 3; count += 1) standin.control.start(alone, '');
    const listening = startPolling(app.services, waits);
    await eventually(answers, (count) => count > 0);
    await listening.stop();
    expect(answers()).toBe(1);
    standin.control.clearFaults();
  });

  it.each([
    ['failed', { kind: 'status', status: 502 }],
    ['failed for a day', { kind: 'status', status: 503, headers: { 'retry-after': '86400' } }],
    ['is to wait for a day', { kind: 'ratelimited', retryAfter: 86_400 }],
  ] as const)('goes on when a call %s, and forgets no event', async (_how, fault) => {
    const invitation = await invite();
    standin.control.addFault({ ...fault, method: 'getUpdates' });
    standin.control.start(alone, invitation.code);
    const listening = startPolling(app.services, waits);
    await eventually(
      () => stateOf(invitation),
      ({ state }) => state === 'found',
    );
    await listening.stop();
  });
});
