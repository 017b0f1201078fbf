import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queueMail, sendMail } from '../../src/server/identity/mails/outbox.ts';
import { createUnsentMailer } from '../../src/server/platform/mail/mailer.ts';
import { type Fixture, openFixture } from '../notifications/deliveries/fixture.ts';
import { addPerson, type SeededPerson } from '../notifications/deliveries/people.ts';
import { openPreparedDatabase } from '../support/memory-database.ts';

let fixture: Fixture;
let camille: SeededPerson;

beforeAll(async () => {
  fixture = await openFixture(await openPreparedDatabase());
  camille = await addPerson(fixture);
});
afterAll(() => fixture.close());

describe('the outbox', () => {
  const queue = (subject: string) =>
    fixture.services.database.sql.transaction().execute((transaction) =>
      queueMail(fixture.services, transaction, {
        ...{ userId: camille.userId, cause: 'is_archived', now: fixture.clock.now() },
        ...{ subject, body: 'Voir http://localhost:3000/' },
      }),
    );
  const outbox = () => fixture.services.database.sql.selectFrom('mails').selectAll().execute();

  it('takes one mail per person, cause and day', async () => {
    await queue('Un');
    await queue('Deux');
    fixture.clock.advance({ days: 1 });
    await queue('Trois');
    expect((await outbox()).map(({ subject }) => subject).sort()).toEqual(['Trois', 'Un']);
  });

  it('keeps a mail that was not taken, with the reason, and sends it once', async () => {
    fixture.clock.advance({ days: 1 });
    await queue('Quatre');
    const mail = (await outbox()).find(({ subject }) => subject === 'Quatre');
    if (!mail) throw new Error('no mail');
    const letter = { userId: mail.user_id, mailId: mail.id };
    const broken = { send: () => Promise.reject(new Error('mailbox full')) };
    await expect(sendMail({ ...fixture.services, mailer: broken }, letter)).rejects.toThrow();
    expect((await outbox()).find(({ id }) => id === mail.id)).toMatchObject({
      ...{ sent_at: null, failure: 'mailbox full' },
    });
    await sendMail(fixture.services, letter);
    await sendMail(fixture.services, letter);
    expect(fixture.mails).toHaveLength(1);
  });

  it('forgets a mail whose link was used or replaced before it left', async () => {
    const { database } = fixture.services;
    const before = (await outbox()).length;
    const link = 'http://localhost:3000/mot-de-passe#jeton=none';
    await database.sql.transaction().execute((transaction) =>
      queueMail(fixture.services, transaction, {
        ...{ userId: camille.userId, cause: 'password', now: fixture.clock.now() },
        ...{ subject: 'Cinq', body: '[lien]', link },
      }),
    );
    const mail = (await outbox()).find(({ subject }) => subject === 'Cinq');
    await sendMail(fixture.services, { userId: camille.userId, mailId: mail?.id ?? '' });
    expect(await outbox()).toHaveLength(before);
    expect(fixture.mails.map(({ subject }) => subject)).not.toContain('Cinq');
  });

  it('says in the log what it could not send, without the links and the addresses', async () => {
    const lines: string[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(line) });
    const body = 'Ouvrez https://exemple.fr/secret?jeton=1 maintenant, <ana.martin@exemple.fr>.';
    await createUnsentMailer(log).send({ key: 'un', to: 'ana@exemple.fr', subject: 'Sujet', body });
    expect(lines.join()).toContain('mail not sent');
    expect(lines.join()).not.toMatch(/jeton|@/);
  });
});
