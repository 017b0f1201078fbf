import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { queueMail, sendMail } from '../../../src/server/identity/mails/outbox.ts';
import { openPreparedDatabase } from '../../support/memory-database.ts';
import { type Fixture, openFixture } from './fixture.ts';
import { addPerson } from './people.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture(await openPreparedDatabase());
});
afterAll(() => fixture.close());

it('a mail that nobody takes is told to the operator, and says no address', async () => {
  const { userId } = await addPerson(fixture);
  const now = fixture.clock.now();
  const mail = { userId, cause: 'account_inactive', now, subject: 'En pause', body: 'Bonjour' };
  await fixture.services.database.sql
    .transaction()
    .execute((transaction) => queueMail(fixture.services, transaction, mail));
  const lines: string[] = [];
  const services = {
    ...fixture.services,
    log: pino({}, { write: (line) => void lines.push(line) }),
    mailer: { send: () => Promise.reject(new Error(`550 <${userId}@exemple.fr> unknown`)) },
  };
  const stored = () =>
    fixture.services.database.sql.selectFrom('mails').selectAll().executeTakeFirstOrThrow();
  const { id: mailId } = await stored();
  await expect(sendMail(services, { userId, mailId })).rejects.toThrow('unknown');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, mailId, failure: '550 <[…]> unknown' },
  ]);
  expect(await stored()).toMatchObject({ sent_at: null, failure: expect.stringMatching(/^550/) });
});
