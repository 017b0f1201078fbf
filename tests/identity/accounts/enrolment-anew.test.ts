import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { confirmEnrolment } from '../../../src/server/identity/second-factor/enrolment.ts';
import { type Databases, engines, startDatabases } from '../../support/engines.ts';
import { type Fixture, openFixture } from './fixture.ts';

describe.each(engines)('a second factor that is begun anew, on %s', (engine) => {
  let databases: Databases;
  let app: Fixture;
  beforeAll(async () => {
    databases = await startDatabases(engine);
    app = await openFixture({ database: await databases.open() });
  });
  afterAll(async () => {
    await app.close();
    await databases.close();
  });

  it('just after a code of the former secret was taken, is not turned on by it', async () => {
    const ana = await app.signUp();
    const { password: currentPassword } = ana.details;
    const begin = () => ana.post('/users/me/second-factor', { currentPassword });
    const { secret } = (await begin()).body;
    const totp = new TOTP({ secret: secret.replaceAll(' ', '') });
    const otp = totp.generate({ timestamp: app.clock.now().getTime() });
    const { database } = app.services;
    // The first transaction of a confirmation comes once the code is taken.
    let hasBegunAnew = false;
    const sql = new Proxy(database.sql, {
      get: (target, name) => {
        if (name !== 'transaction') return bound(target, name);
        return () => ({
          async execute(work: Parameters<ReturnType<typeof target.transaction>['execute']>[0]) {
            const { used_step } = await target
              .selectFrom('second_factors')
              .select('used_step')
              .where('user_id', '=', ana.id)
              .executeTakeFirstOrThrow();
            if (Number(used_step) > 0) {
              await begin();
              hasBegunAnew = true;
            }
            return await target.transaction().execute(work);
          },
        });
      },
    });
    const services = { ...app.services, database: { ...database, sql } };
    await expect(
      confirmEnrolment(services, { userId: ana.id, sessionHash: null, ip: '127.0.0.1' }, { otp }),
    ).rejects.toMatchObject({ code: 'One_Time_Code_Invalid' });
    expect(hasBegunAnew).toBe(true);
    const { body } = await ana.get('/users/me');
    expect(body.secondFactor).toBe(false);
  });
});

function bound(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name);
  return typeof value === 'function' ? value.bind(target) : value;
}
