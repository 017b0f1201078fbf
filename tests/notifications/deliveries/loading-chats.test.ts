import { afterEach, expect, it, vi } from 'vitest';
import type { Worker } from '../../../src/server/app/worker.ts';
import type { ChatProvider } from '../../../src/server/providers/chats/port.ts';
import { openPreparedDatabase } from '../../support/memory-database.ts';
import { eventually, type Fixture, openFixture } from './fixture.ts';
import { addMessenger, addPerson, deliveriesOf } from './people.ts';

let fixture: Fixture | null = null;
let worker: Worker | null = null;
afterEach(async () => {
  await worker?.stop();
  await fixture?.close();
});

it('each chat is loaded once, while nothing is due, and one that fails stops nothing', async () => {
  fixture = await openFixture(await openPreparedDatabase());
  const load = vi.fn(async () => {
    throw new Error('no such module');
  });
  const slack = fixture.services.chats.get('slack') as ChatProvider;
  slack.load = load;
  const messenger = await addMessenger(fixture, await addPerson(fixture));
  worker = await fixture.startWorker();
  await eventually(
    () => load.mock.calls,
    ({ length }) => length > 0,
  );
  expect(fixture.slack.control.log()).toEqual([]);
  fixture.clock.set('2026-01-12T08:00:00Z');
  const { id } = messenger;
  await eventually(
    () => deliveriesOf(fixture as Fixture, id),
    ([delivery]) => delivery?.outcome === 'delivered',
  );
  expect(load).toHaveBeenCalledTimes(1);
});
