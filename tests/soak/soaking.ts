import { setTimeout as sleep } from 'node:timers/promises';
import { insertCrowd } from '../support/crowd.ts';
import type { Engine } from '../support/engines.ts';
import { injectFaults } from './faults.ts';
import { type Installation, openInstallation } from './installation.ts';
import { reconcile, type SoakReport } from './reconciling.ts';

export interface SoakOptions {
  /** Of the wall clock, for the days; what is under way then is waited for beyond them. */
  seconds: number;
  people: number;
  random: () => number;
}

/** Lives through as many days as fit into the time, while the outside fails, and counts. */
export async function soak(engine: Engine, options: SoakOptions): Promise<SoakReport> {
  const installation = await openInstallation(engine);
  try {
    await populate(installation, options.people);
    const end = performance.now() + options.seconds * 1000;
    let days = 0;
    do {
      await liveOneDay(installation, days, options.random);
      days += 1;
    } while (performance.now() < end);
    await calmDown(installation);
    return { engine, days, ...(await reconcile(installation, days)) };
  } finally {
    await installation.close();
  }
}

/** Each in a workspace of their own; every quarter from seven to eight is somebody's hour. */
async function populate({ services, bank, clock }: Installation, people: number): Promise<void> {
  const count = Math.ceil(people / quarters);
  for (let quarter = 0; quarter < quarters; quarter += 1) {
    const dueAt = new Date(clock.now().getTime() + 3_600_000 + quarter * quarterMs);
    const message = quarter % 2 === 0 ? 'Bonjour' : 'Total : {{total}}';
    await insertCrowd(services, { count, first: quarter * count, dueAt, message });
  }
  const readers = await services.database.sql
    .selectFrom('messengers')
    .select('user_id as id')
    .where('variables', '=', true)
    .limit(30)
    .execute();
  for (const { id } of readers) {
    const source = 'bridge';
    const provider_user_id = (await services.bankSources.get(source)?.users?.register(id)) ?? null;
    const row = { user_id: id, source, provider_user_id, created_at: clock.now() };
    await services.database.sql.insertInto('bank_links').values(row).execute();
    bank.control.link({ externalUserId: id });
  }
}

const quarters = 4;
const quarterMs = 15 * 60_000;

async function liveOneDay(
  installation: Installation,
  day: number,
  random: () => number,
): Promise<void> {
  const { clock, chat, bank } = installation;
  const morning = Date.parse('2026-01-12T06:45:00Z') + day * 86_400_000;
  chat.control.clearFaults();
  bank.control.clearFaults();
  for (let quarter = 0; quarter <= quarters; quarter += 1) {
    injectFaults(installation, random);
    installation.driftClocks(random);
    clock.set(new Date(morning + quarter * quarterMs));
    if (quarter === 0) await untilBanksAreAsked(installation);
    if (random() < 0.1) await installation.replaceWorker();
    // Often the next quarter comes while the last one is still being tried.
    await quiet(installation, 200 + random() * 1500);
  }
  // An evening that comes too soon leaves some of the morning's messages too late to be of use.
  const hours = random() < 0.2 ? 7 : 1;
  clock.set(new Date(morning + quarters * quarterMs + hours * 3_600_000));
  await quiet(installation, 500);
}

/** Before the first sending of the day, for the texts that speak of balances. */
async function untilBanksAreAsked({ bank }: Installation): Promise<void> {
  const before = bank.control.requests().length;
  const end = performance.now() + 2500;
  while (bank.control.requests().length < before + 5 && performance.now() < end) await sleep(30);
}

async function calmDown(installation: Installation): Promise<void> {
  const { chat, bank, clock } = installation;
  chat.control.clearFaults();
  bank.control.clearFaults();
  if (await quiet(installation, 15_000)) return;
  clock.advance({ hours: 7 });
  await quiet(installation, 90_000);
}

/** True once nothing is due and nothing is under way, false when that takes too long. */
async function quiet({ database, clock }: Installation, withinMs: number): Promise<boolean> {
  const end = performance.now() + withinMs;
  do {
    const [waiting, open] = await Promise.all([
      database.sql
        .selectFrom('slots')
        .select('id')
        .where('next_at', '<=', clock.now())
        .limit(1)
        .execute(),
      database.sql
        .selectFrom('deliveries')
        .select('id')
        .where('outcome', '=', 'pending')
        .limit(1)
        .execute(),
    ]);
    if (waiting.length + open.length === 0) return true;
    await sleep(30);
  } while (performance.now() < end);
  return false;
}
