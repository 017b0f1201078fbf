import { expect, it, onTestFinished } from 'vitest';
import type { TakeEvent } from '../../../../src/server/providers/chats/port.ts';
import { configuredTelegram } from '../../../../src/server/providers/chats/telegram/definition.ts';
import { startTelegramStandin } from '../../../../standins/telegram/server.ts';
import { manualClock } from '../../../support/clock.ts';
import { chatDepsFor } from '../chat-deps.ts';

const ana = 7_100_000_001;
const association = -1_001_000_000_003;

it('answers each person once while the event of another fails', async () => {
  const clock = manualClock();
  const standin = await startTelegramStandin({ clock });
  const deps = chatDepsFor(clock);
  onTestFinished(async () => {
    await deps.httpClient.close();
    await standin.close();
  });
  const { url, token } = standin;
  const configuration = { apiUrl: url, linkUrl: url, token, publicUrl: 'https://exemple.fr' };
  const { polling } = configuredTelegram(configuration).open(deps);
  let isAway = true;
  const take: TakeEvent = async (event) => {
    const isOfAssociation = event.kind === 'invitation' && event.link.scope === 'supergroup';
    if (isOfAssociation && isAway) throw new Error('the database is away');
    return true;
  };
  const read = async (after: string | null) =>
    (await polling?.read(after, take, new AbortController().signal)) ?? null;
  standin.control.start(ana, 'first');
  standin.control.start(association, 'second');
  const after = await read(null);
  await expect(read(after)).rejects.toThrow('the database is away');
  isAway = false;
  await read(after);
  for (const id of [ana, association]) expect(standin.control.messages(id)).toHaveLength(1);
});
