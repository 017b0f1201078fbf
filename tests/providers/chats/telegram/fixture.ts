import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { startWorker, type Worker } from '../../../../src/server/app/worker.ts';
import { configuredTelegram } from '../../../../src/server/providers/chats/telegram/definition.ts';
import type { Delivery } from '../../../../src/shared/contract/deliveries.ts';
import type { Invitation } from '../../../../src/shared/contract/invitations.ts';
import {
  startTelegramStandin,
  type TelegramStandin,
} from '../../../../standins/telegram/server.ts';
import { eventually } from '../../../notifications/deliveries/fixture.ts';
import { quick } from '../../../notifications/deliveries/quick.ts';
import { type Application, startApplication } from '../../../support/application.ts';
import { manualClock } from '../../../support/clock.ts';
import type { Person } from '../../../support/person.ts';

/** Telegram from the invitation to the removal, with the program, its worker and a Bot API. */
export let standin: TelegramStandin;
export let app: Application;
export let worker: Worker;
export let ana: Person;
export const alone = 7_100_000_001;
export const family = -4_100_000_002;
export const association = -1_001_000_000_003;
/** What the family becomes. */
export const supergroup = -1_001_000_000_000 + family;
export const path = '/messengers/chats/telegram/invitations';

/** To be called once by a file of tests: its own program, worker and Bot API. */
export function setUpTelegram(): void {
  beforeAll(async () => {
    const clock = manualClock();
    standin = await startTelegramStandin({ clock });
    app = await startApplication({ clock, chats: [configuredBot()] });
    worker = await startWorker(app.services, quick);
  });
  afterAll(async () => {
    await worker.stop();
    await app.close();
    await standin.close();
  });
  beforeEach(async () => {
    standin.control.clearFaults();
    standin.control.clearMessages();
    ana = await app.signUp();
  });
  afterEach(async () => {
    for (const { id } of (await ana.get('/users/me')).body.messengers) {
      await ana.delete(`/messengers/${id}`);
    }
  });
}

/** The bot of the Bot API that plays here. */
export function configuredBot() {
  const { url, token } = standin;
  const publicUrl = 'https://tirelire.exemple.fr';
  return configuredTelegram({ apiUrl: url, linkUrl: url, token, publicUrl });
}

/** Somebody else is meant by `ana` from now on. */
export function actAs(person: Person): void {
  ana = person;
}

export async function invite(person = ana): Promise<Invitation> {
  const { status, body } = await person.post(path);
  expect(status).toBe(201);
  return body;
}

export const stateOf = async ({ code }: Invitation, person = ana) =>
  (await person.get(`${path}/${code}`)).body;

export const confirm = ({ code }: Invitation, body = {}, person = ana) =>
  person.post(`${path}/${code}/confirmation`, body);

/** The last words that the bot answered there. */
export async function answerIn(chat: number, words: RegExp): Promise<void> {
  await eventually(
    () => standin.control.messages(chat).map(({ body }) => String(body.text)),
    (texts) => texts.some((text) => words.test(text)),
  );
}

/** Linked as a person does it; returns the notification. */
export async function linked(chat = alone, more = {}, topic?: number) {
  const invitation = await invite();
  standin.control.start(chat, invitation.code, topic);
  await eventually(
    () => stateOf(invitation),
    ({ state }) => state === 'found',
  );
  const { status, body } = await confirm(invitation, more);
  expect([200, 201]).toContain(status);
  await answerIn(chat, /Revenez dans Tirelire/);
  standin.control.clearMessages();
  return body;
}

/** A text, and nine o'clock comes: the delivery of that day, once it has ended. */
export async function nextDelivery(
  id: string,
  before: () => void = () => {},
  isSo = ({ outcome }: Delivery) => outcome !== 'pending',
): Promise<Delivery> {
  const tomorrow = new Date(app.clock.now().getTime() + 86_400_000).toISOString().slice(0, 10);
  app.clock.set(`${tomorrow}T07:00:00Z`);
  await ana.patch(`/messengers/${id}`, { message: 'Bonjour *à tous*' });
  before();
  app.clock.set(`${tomorrow}T08:00:00Z`);
  const [delivery] = await eventually(
    async () => (await ana.get(`/messengers/${id}/deliveries`)).body.deliveries as Delivery[],
    ([first]) => first !== undefined && isSo(first),
  );
  if (!delivery) throw new Error('no delivery');
  return delivery;
}

export async function messengerNow(id: string) {
  const { messengers } = (await ana.get('/users/me')).body;
  return messengers.find((one: { id: string }) => one.id === id);
}
