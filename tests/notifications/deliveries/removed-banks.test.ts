import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eraseConnections } from '../../../src/server/banking/connections/erasing.ts';
import type { AttemptOutcome } from '../../../src/server/notifications/deliveries/attempt.ts';
import { claimNextDue } from '../../../src/server/notifications/deliveries/due.ts';
import { recordOutcomes } from '../../../src/server/notifications/deliveries/recording-outcomes.ts';
import { deliverySettings } from '../../../src/server/notifications/deliveries/settings.ts';
import { updateRows } from '../../../src/server/notifications/deliveries/store.ts';
import { storeAccounts } from '../../shared/message/stored-accounts.ts';
import { type Databases, engines, startDatabases } from '../../support/engines.ts';
import { trustedClock } from '../../support/trusted-clock.ts';
import { untilWaiting } from '../../support/waiting.ts';
import { type Fixture, openFixture } from './fixture.ts';
import { addMessenger, addPerson, deliveriesOf } from './people.ts';

/** Our numbers of the connections that `storeAccounts` makes of these banks. */
const [bnp, cic] = [1, 3];

describe.each(engines)('a bank that is removed while its message is sent, on %s', (engine) => {
  let databases: Databases;
  let fixture: Fixture;

  beforeAll(async () => {
    databases = await startDatabases(engine);
    fixture = await openFixture(await databases.open());
  });
  afterEach(async () => {
    await sql`truncate users, slots, deliveries cascade`.execute(fixture.services.database.sql);
    fixture.clock.set('2026-01-12T07:00:00Z');
  });
  afterAll(async () => {
    await fixture.close();
    await databases.close();
  });

  /** A message that told two banks has arrived, which is not written yet. */
  async function arrived(): Promise<{ id: string; userId: string; outcomes: AttemptOutcome[] }> {
    const { services, clock } = fixture;
    const camille = await addPerson(fixture);
    const { userId } = camille;
    await storeAccounts(services, userId, [
      { id: 1, name: 'Courant', bank: 'BNP Paribas' },
      { id: 2, name: 'Coffre', bank: 'CIC' },
    ]);
    const { id } = await addMessenger(fixture, camille, { message: '{{soldes}}', variables: true });
    clock.set('2026-01-12T08:00:00Z');
    const now = clock.now();
    const { deliveries } = await claimNextDue(services, 10, deliverySettings, trustedClock);
    const outcomes = deliveries.map((delivery): AttemptOutcome => {
      const ended = { outcome: 'delivered', reason: null, sentAt: now, finishedAt: now } as const;
      const figures = { 1: [100, 'EUR'], 2: [200, 'EUR'] } as Record<string, [number, string]>;
      return {
        delivery,
        change: { ...ended, figures, isUnposted: false },
        againAfterSeconds: null,
      };
    });
    return { id, userId, outcomes };
  }
  const figuresOf = async (id: string) => (await deliveriesOf(fixture, id))[0]?.figures;
  const record = (outcomes: AttemptOutcome[]) =>
    recordOutcomes(fixture.services, outcomes, fixture.clock.now());
  const transaction = () => fixture.services.database.sql.transaction();

  it('leaves no figures in it, when it was removed before', async () => {
    const { id, userId, outcomes } = await arrived();
    await transaction().execute((held) => eraseConnections(fixture.services, held, userId, [cic]));
    await record(outcomes);
    expect(await figuresOf(id)).toEqual({ 1: [100, 'EUR'] });
  });

  it('leaves no figures in it, when all banks were removed before', async () => {
    const { id, userId, outcomes } = await arrived();
    await transaction().execute((held) =>
      eraseConnections(fixture.services, held, userId, [bnp, cic]),
    );
    await record(outcomes);
    expect(await figuresOf(id)).toEqual({});
  });

  it('leaves no figures in it, when the end of the message is written during the removal', async () => {
    if (engine === 'embedded') return;
    const { id, userId, outcomes } = await arrived();
    const { recording } = await transaction().execute(async (held) => {
      await eraseConnections(fixture.services, held, userId, [cic]);
      const recording = record(outcomes);
      await untilWaiting(fixture.services.database, 1);
      return { recording };
    });
    await recording;
    expect(await figuresOf(id)).toEqual({ 1: [100, 'EUR'] });
  });

  it('leaves no figures in it, when it is removed while the message is claimed', async () => {
    if (engine === 'embedded') return;
    const { id, userId, outcomes } = await arrived();
    const { removal } = await transaction().execute(async (claim) => {
      await sql`select from slots for no key update`.execute(claim);
      const { rows } = await sql<object>`delete from deliveries returning *`.execute(
        fixture.services.database.sql,
      );
      const removal = transaction().execute((held) =>
        eraseConnections(fixture.services, held, userId, [cic]),
      );
      await untilWaiting(fixture.services.database, 1);
      await sql`insert into deliveries
        select * from json_populate_recordset(null::deliveries, ${JSON.stringify(rows)}::json)`.execute(
        claim,
      );
      return { removal };
    });
    await removal;
    await record(outcomes);
    expect(await figuresOf(id)).toEqual({ 1: [100, 'EUR'] });
  });

  it('leaves no figures in it, when it is removed while the end of the message is written', async () => {
    if (engine === 'embedded') return;
    const { id, userId, outcomes } = await arrived();
    const { removal } = await transaction().execute(async (held) => {
      await updateRows(held, outcomes);
      const removal = transaction().execute((other) =>
        eraseConnections(fixture.services, other, userId, [cic]),
      );
      await untilWaiting(fixture.services.database, 1);
      return { removal };
    });
    await removal;
    expect(await figuresOf(id)).toEqual({ 1: [100, 'EUR'] });
  });
});
