import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queueMail, sendMail } from '../../src/server/identity/mails/outbox.ts';
import { createUnsentMailer } from '../../src/server/platform/mail/mailer.ts';
import { addPerson, type Somebody } from '../notifications/deliveries/people.ts';
import { openWorld, type World } from '../notifications/deliveries/world.ts';
import { openPreparedDatabase } from '../support/memory-database.ts';

let world: World;
let camille: Somebody;

beforeAll(async () => {
  world = await openWorld(await openPreparedDatabase());
  camille = await addPerson(world);
});
afterAll(() => world.close());

describe('the outbox', () => {
  const queue = (subject: string) =>
    world.services.database.sql.transaction().execute((transaction) =>
      queueMail(world.services, transaction, {
        ...{ userId: camille.userId, cause: 'is_archived', now: world.clock.now() },
        ...{ subject, body: 'Voir http://localhost:3000/' },
      }),
    );
  const outbox = () => world.services.database.sql.selectFrom('mails').selectAll().execute();

  it('takes one mail per person, cause and day', async () => {
    await queue('Un');
    await queue('Deux');
    world.clock.advance({ days: 1 });
    await queue('Trois');
    expect((await outbox()).map(({ subject }) => subject).sort()).toEqual(['Trois', 'Un']);
  });

  it('keeps a mail that was not taken, with the reason, and sends it once', async () => {
    world.clock.advance({ days: 1 });
    await queue('Quatre');
    const mail = (await outbox()).find(({ subject }) => subject === 'Quatre');
    if (!mail) throw new Error('no mail');
    const letter = { userId: mail.user_id, mailId: mail.id };
    const broken = { send: () => Promise.reject(new Error('mailbox full')) };
    await expect(sendMail({ ...world.services, mailer: broken }, letter)).rejects.toThrow();
    expect((await outbox()).find(({ id }) => id === mail.id)).toMatchObject({
      ...{ sent_at: null, failure: 'mailbox full' },
    });
    await sendMail(world.services, letter);
    await sendMail(world.services, letter);
    expect(world.mails).toHaveLength(1);
  });

  it('says in the log what it could not send, without the links and the addresses', async () => {
    const lines: string[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(line) });
    const body = 'Ouvrez https://exemple.fr/secret?jeton=1 maintenant, <ana.martin@exemple.fr>.';
    await createUnsentMailer(log).send({ to: 'ana@exemple.fr', subject: 'Sujet', body });
    expect(lines.join()).toContain('mail not sent');
    expect(lines.join()).not.toMatch(/jeton|@/);
  });
});
