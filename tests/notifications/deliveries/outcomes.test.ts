import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Worker } from '../../../src/server/app/worker.ts';
import type { Fault } from '../../../standins/slack/faults.ts';
import { type Databases, engines, startDatabases } from '../../support/engines.ts';
import { eventually, type Fixture, openFixture } from './fixture.ts';
import {
  addMessenger,
  addPerson,
  bonnard,
  deliveriesOf,
  messengerNow,
  type SeededPerson,
} from './people.ts';

/** What a firewall answers in Slack's place. */
const blocked: Fault = {
  kind: 'status',
  status: 403,
  body: '<!doctype html><title>Blocked</title>',
  headers: { 'content-type': 'text/html' },
};

describe.each(engines)('what becomes of a daily message, on %s', (engine) => {
  let databases: Databases;
  let fixture: Fixture;
  let worker: Worker;
  let camille: SeededPerson;

  beforeAll(async () => {
    databases = await startDatabases(engine);
    fixture = await openFixture(await databases.open());
    worker = await fixture.startWorker();
  });
  afterEach(async () => {
    fixture.slack.control.clearFaults();
    fixture.slack.control.clearMessages();
    // The clock goes back to before the same hour: for the slots, too.
    await sql`truncate users, slots, deliveries cascade`.execute(fixture.services.database.sql);
  });
  afterAll(async () => {
    await worker.stop();
    await fixture.close();
    await databases.close();
  });

  /** A notification whose hour comes now, under a fault; returns its delivery once it has ended. */
  async function sendWith(faults: Fault[], messenger = {}) {
    fixture.clock.set('2026-01-12T07:59:00Z');
    camille = await addPerson(fixture);
    for (const fault of faults)
      fixture.slack.control.addFault({ method: 'chat.postMessage', ...fault });
    const { id } = await addMessenger(fixture, camille, messenger);
    fixture.clock.advance({ minutes: 1 });
    const [delivery] = await eventually(
      () => deliveriesOf(fixture, id),
      ([first]) => first !== undefined && first.outcome !== 'pending',
    );
    if (!delivery) throw new Error('no delivery');
    return { ...delivery, messenger: await messengerNow(fixture, id) };
  }

  /** A notification whose hour is now; returns its id. */
  async function dueNow(): Promise<string> {
    fixture.clock.set('2026-01-12T07:59:00Z');
    const { id } = await addMessenger(fixture, await addPerson(fixture));
    fixture.clock.advance({ minutes: 1 });
    return id;
  }

  const hasEnded = ([first]: { outcome: string }[]) =>
    first !== undefined && first.outcome !== 'pending';

  const posted = () => fixture.slack.control.log().length;

  it('arrives once, with the chat’s own mark, and tomorrow is planned', async () => {
    const delivery = await sendWith([]);
    expect(delivery).toMatchObject({ outcome: 'delivered', attempts: 1, resends: 0, reason: null });
    const [message] = fixture.slack.control.messages(bonnard.team, bonnard.general);
    expect(message).toMatchObject({ ts: delivery.receipt, text: 'Bonjour à tous' });
    expect(delivery.messenger.next_at).toEqual(new Date('2026-01-13T08:00:00Z'));
    expect(delivery.messenger.planned_on).toBe('2026-01-12');
  });

  it.each<[string, Fault]>([
    ['the connection drops before the post', { kind: 'drop' }],
    ['Slack answers 500', { kind: 'status', status: 500 }],
    ['Slack answers 503', { kind: 'status', status: 503 }],
    ['a page of HTML comes with status 200', { kind: 'html' }],
    ['the JSON is cut off', { kind: 'truncated' }],
    ['Slack answers internal_error', { kind: 'error', code: 'internal_error' }],
    ['Slack answers fatal_error', { kind: 'error', code: 'fatal_error' }],
    [
      'Slack knows its id but finds no such message',
      { kind: 'error', code: 'duplicate_message_not_found' },
    ],
    [
      'Slack knows its id but finds no such channel',
      { kind: 'error', code: 'duplicate_channel_not_found' },
    ],
  ])('is sent again once when %s', async (_words, fault) => {
    const delivery = await sendWith([fault]);
    expect(delivery).toMatchObject({ outcome: 'delivered', attempts: 2, resends: 1 });
    expect(posted()).toBe(1);
  });

  it('may stand twice, under one id, when the answer was lost after the post', async () => {
    const delivery = await sendWith([{ kind: 'drop', posted: true }]);
    expect(delivery).toMatchObject({ outcome: 'delivered', resends: 1 });
    const ids = fixture.slack.control.log().map(([, , , id]) => id);
    expect(ids).toEqual([delivery.id, delivery.id]);
  });

  it('is uncertain when the second answer is lost too, and never sent a third time', async () => {
    const delivery = await sendWith([{ kind: 'status', status: 500, posted: true, times: null }]);
    expect(delivery).toMatchObject({ outcome: 'uncertain', reason: 'answer_lost', attempts: 2 });
    expect(posted()).toBe(2);
    expect(delivery.messenger.paused_at).toBeNull();
  });

  it.each([['is_archived'], ['no_permission'], ['account_inactive']])(
    'is uncertain when its first answer was lost and the second is %s, and still pauses',
    async (code) => {
      const delivery = await sendWith([
        { kind: 'drop', posted: true },
        { kind: 'error', code },
      ]);
      expect(delivery).toMatchObject({ outcome: 'uncertain', reason: 'answer_lost', resends: 1 });
      expect(posted()).toBe(1);
      expect(delivery.messenger).toMatchObject({ paused_reason: code, next_at: null });
    },
  );

  it('is uncertain when its first answer was lost and a firewall answers ever since', async () => {
    fixture.slack.control.addFault({ kind: 'drop', posted: true });
    fixture.slack.control.addFault({ ...blocked, times: null });
    const id = await dueNow();
    await eventually(
      () => deliveriesOf(fixture, id),
      ([first]) => (first?.attempts ?? 0) >= 3,
    );
    fixture.clock.advance({ hours: 6, minutes: 1 });
    const [delivery] = await eventually(() => deliveriesOf(fixture, id), hasEnded);
    expect(delivery).toMatchObject({ outcome: 'uncertain', reason: 'answer_lost', resends: 1 });
    expect(posted()).toBe(1);
  });

  it('is uncertain when its first answer was lost and the second is a fault of ours', async () => {
    const delivery = await sendWith([
      { kind: 'drop', posted: true },
      { kind: 'error', code: 'invalid_arguments' },
    ]);
    expect(delivery).toMatchObject({ outcome: 'uncertain', reason: 'answer_lost', resends: 1 });
    expect(delivery.messenger.paused_at).toBeNull();
  });

  it.each<[string, Fault]>([
    ['429 with Retry-After', { kind: 'ratelimited', retryAfter: 1 }],
    ['service_unavailable', { kind: 'error', code: 'service_unavailable' }],
    ['org_login_required', { kind: 'error', code: 'org_login_required' }],
    ['a portal’s redirection', { kind: 'status', status: 302, headers: { location: '/login' } }],
    ['a firewall’s page', blocked],
    ['a proxy’s 404', { kind: 'status', status: 404, body: '{"error":"no such host"}' }],
  ])('is tried again after %s, which is no resend', async (_words, fault) => {
    const delivery = await sendWith([fault]);
    expect(delivery).toMatchObject({ outcome: 'delivered', attempts: 2, resends: 0 });
    expect(posted()).toBe(1);
  });

  it.each<[string, Fault]>([
    ['Slack stays unavailable', { kind: 'error', code: 'service_unavailable' }],
    ['a firewall answers in its place', blocked],
  ])('is missed, not sent late, when %s for six hours', async (_words, fault) => {
    fixture.slack.control.addFault({ ...fault, times: null });
    const id = await dueNow();
    await eventually(
      () => deliveriesOf(fixture, id),
      ([first]) => (first?.attempts ?? 0) >= 2,
    );
    fixture.clock.advance({ hours: 6, minutes: 1 });
    const [delivery] = await eventually(() => deliveriesOf(fixture, id), hasEnded);
    expect(delivery).toMatchObject({ outcome: 'missed', sent_at: null });
    expect(posted()).toBe(0);
  });

  it('is cancelled, by no fault of ours, when its text is taken away before it leaves', async () => {
    fixture.slack.control.addFault({ kind: 'error', code: 'service_unavailable', times: null });
    const id = await dueNow();
    await eventually(
      () => deliveriesOf(fixture, id),
      ([first]) => (first?.attempts ?? 0) >= 1,
    );
    await fixture.services.database.sql
      .updateTable('messengers')
      .set({ message: '' })
      .where('id', '=', id)
      .execute();
    const [delivery] = await eventually(() => deliveriesOf(fixture, id), hasEnded);
    expect(delivery).toMatchObject({ outcome: 'cancelled', reason: 'incomplete' });
  });

  it.each([
    ['channel_not_found'],
    ['not_in_channel'],
    ['is_archived'],
    ['restricted_action'],
    ['missing_scope'],
    ['no_permission'],
    ['team_access_not_granted'],
  ])('fails and pauses its notification alone after %s', async (code) => {
    const delivery = await sendWith([{ kind: 'error', code }]);
    expect(delivery).toMatchObject({ outcome: 'failed', reason: code, attempts: 1 });
    expect(delivery.messenger).toMatchObject({ paused_reason: code, next_at: null });
    const mail = await eventually(
      () => mailsTo(camille),
      (found) => found.length > 0,
    );
    expect(mail).toEqual([
      expect.objectContaining({ body: expect.stringContaining("n'a pas pu être envoyée") }),
    ]);
    expect(await stateOf(camille)).toBe('connected');
  });

  it.each([['account_inactive'], ['token_revoked'], ['invalid_auth']])(
    'fails and disconnects the workspace with all its notifications after %s',
    async (code) => {
      fixture.clock.set('2026-01-12T07:59:00Z');
      camille = await addPerson(fixture);
      const other = await addMessenger(fixture, camille, { hours: 18 });
      fixture.slack.control.addFault({ kind: 'error', code });
      const { id } = await addMessenger(fixture, camille);
      fixture.clock.advance({ minutes: 1 });
      await eventually(
        () => stateOf(camille),
        (state) => state === 'disconnected',
      );
      expect(await messengerNow(fixture, other.id)).toMatchObject({
        paused_reason: code,
        next_at: null,
      });
      expect(await deliveriesOf(fixture, id)).toMatchObject([{ outcome: 'failed', reason: code }]);
      const mails = await eventually(
        () => mailsTo(camille),
        (found) => found.length > 0,
      );
      expect(mails).toHaveLength(1);
    },
  );

  it.each([['invalid_blocks'], ['msg_too_long'], ['a_code_of_the_future']])(
    'fails by our own fault after %s, and tomorrow is tried',
    async (code) => {
      const delivery = await sendWith([{ kind: 'error', code }]);
      expect(delivery).toMatchObject({ outcome: 'failed', reason: code, attempts: 1 });
      expect(delivery.messenger).toMatchObject({ paused_at: null });
      expect(delivery.messenger.next_at).toEqual(new Date('2026-01-13T08:00:00Z'));
    },
  );

  async function stateOf({ userId }: SeededPerson): Promise<string> {
    const row = await fixture.services.database.sql
      .selectFrom('destinations')
      .select('state')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    return row.state;
  }

  function mailsTo({ userId }: SeededPerson) {
    return fixture.mails.filter(({ to }) => to.startsWith(userId));
  }
});
