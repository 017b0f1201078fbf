import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type Application, startApplication } from '../support/application.ts';
import type { Person } from '../support/person.ts';
import { connectSlack } from '../support/slack.ts';

const team = 'T0FONTAINE';
const general = 'C0FGENERAL0';

export let app: Application;
export let ana: Person;
/** Of her notification. */
export let id: string;

/** To be called once in a file: each test has a person of its own, whose notification says "Bonjour" every day. */
export function setUpNotification(): void {
  beforeAll(async () => {
    app = await startApplication();
  });
  beforeEach(async () => {
    app.clock.set('2026-01-12T07:00:00Z');
    ana = await app.signUp();
    id = (await connectSlack(app, ana, team)).id;
    await change({ slackChannel: general, message: 'Bonjour' });
  });
  afterAll(() => app.close());
}

export const change = (given: object) => ana.patch(`/messengers/${id}`, given);
