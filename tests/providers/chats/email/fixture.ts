import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { startWorker, type Worker } from '../../../../src/server/app/worker.ts';
import { createSmtpMailer } from '../../../../src/server/platform/mail/smtp.ts';
import { configuredEmail } from '../../../../src/server/providers/chats/email/definition.ts';
import type { Delivery } from '../../../../src/shared/contract/deliveries.ts';
import {
  type MailStandin,
  type ParsedMail,
  startMailStandin,
} from '../../../../standins/mail/server.ts';
import { eventually } from '../../../notifications/deliveries/fixture.ts';
import { quick } from '../../../notifications/deliveries/quick.ts';
import { type Application, startApplication } from '../../../support/application.ts';
import { manualClock } from '../../../support/clock.ts';
import type { Person } from '../../../support/person.ts';

/** Email from the link to the unsubscription, with the program, its worker and a mail server. */
export let post: MailStandin;
export let app: Application;
let worker: Worker;
export let ana: Person;
let friends = 0;

/** To be called once by a file of tests: its own program, worker and mail server. */
export function setUpMails(): void {
  beforeAll(async () => {
    post = await startMailStandin();
    const sending = { smtpUrl: post.smtpUrl, from: 'Tirelire <bot@exemple.fr>' };
    const chats = [configuredEmail({ ...sending, publicUrl: 'https://tirelire.exemple.fr' })];
    const clock = manualClock();
    app = await startApplication({ clock, chats, mailer: createSmtpMailer(sending) });
    worker = await startWorker(app.services, { ...quick, longestLimitSeconds: 1 });
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
}

/** Somebody else is meant by `ana` from now on. */
export function actAs(person: Person): void {
  ana = person;
}

async function confirm(person: Person): Promise<void> {
  await app.services.database.sql
    .updateTable('users')
    .set({ email_confirmed_at: app.clock.now() })
    .where('id', '=', person.id)
    .execute();
}

export const add = (address?: string, person = ana) =>
  person.post('/messengers/chats/email/mailboxes', address ? { address } : {});

export function friend(): string {
  friends += 1;
  return `ami${friends}@exemple.org`;
}

/** The mails of that address so far, once there are as many. */
export async function mailsTo(address: string, count = 1): Promise<ParsedMail[]> {
  return await eventually(
    async () => post.mails.filter(({ to }) => to === address),
    (mails) => mails.length >= count,
  );
}

export function tokenIn({ body }: ParsedMail): string {
  return /#jeton=([A-Za-z0-9_-]{43})/.exec(body)?.[1] ?? '';
}

/** A friend's address, which its owner has accepted; the id of the notification. */
export async function accepted(address: string): Promise<string> {
  await add(address);
  const [question] = await mailsTo(address);
  if (!question) throw new Error('no mail');
  await app.visitor.post('/messengers/mailboxes/confirmation', { token: tokenIn(question) });
  post.clear();
  const { messengers } = (await ana.get('/users/me')).body;
  // Two of one moment stand in any order.
  return messengers.find((at: { slackTeamName: string }) => at.slackTeamName === address).id;
}

/** A text, and nine o'clock comes: the delivery of that day, once it has ended. */
export async function nextDelivery(
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

export async function messengerNow(id: string, person = ana) {
  const { messengers } = (await person.get('/users/me')).body;
  return messengers.find((one: { id: string }) => one.id === id);
}
