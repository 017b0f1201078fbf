import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { queueMail, sendMail } from '../../../src/server/identity/mails/outbox.ts';
import { openPreparedDatabase } from '../../support/memory-database.ts';
import { addPerson } from './people.ts';
import { openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld(await openPreparedDatabase());
});
afterAll(() => world.close());

it('a mail that nobody takes is told to the operator, and says no address', async () => {
  const { userId } = await addPerson(world);
  const now = world.clock.now();
  const mail = { userId, cause: 'account_inactive', now, subject: 'En pause', body: 'Bonjour' };
  await world.services.database.sql
    .transaction()
    .execute((transaction) => queueMail(world.services, transaction, mail));
  const lines: string[] = [];
  const services = {
    ...world.services,
    log: pino({}, { write: (line) => void lines.push(line) }),
    mailer: { send: () => Promise.reject(new Error(`550 <${userId}@exemple.fr> unknown`)) },
  };
  const stored = () =>
    world.services.database.sql.selectFrom('mails').selectAll().executeTakeFirstOrThrow();
  const { id: mailId } = await stored();
  await expect(sendMail(services, { userId, mailId })).rejects.toThrow('unknown');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, mailId, failure: '550 <[…]> unknown' },
  ]);
  expect(await stored()).toMatchObject({ sent_at: null, failure: expect.stringMatching(/^550/) });
});
