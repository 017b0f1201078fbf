import process from 'node:process';
import { blockKit } from '../../src/server/providers/chats/slack/blocks.ts';
import { attentionKinds } from '../../src/shared/message/attention-kinds.ts';
import type { MessageData } from '../../src/shared/message/figures.ts';
import { renderMessage, textOf } from '../../src/shared/message/render.ts';
import { median, type Row } from '../table.ts';
import { everyVariable } from './texts.ts';

const rounds = 20;
const inRound = 100;

/** Milliseconds of processor time to render one message as blocks, as Slack's blocks and as text. */
export function measureRendering(): Row[] {
  const data = dataOf(20);
  const costs = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage();
    for (let count = 0; count < inRound; count += 1) {
      const blocks = renderMessage(everyVariable, data);
      if (!blockKit(blocks) || textOf(blocks) === '') throw new Error('nothing was rendered');
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / inRound;
  });
  return [{ 'ms, median': median(costs).toFixed(3), limit: '1 ms' }];
}

function dataOf(count: number): MessageData {
  const now = new Date('2026-01-12T09:00:00Z');
  const accounts = Array.from({ length: count }, (_, id) => ({
    ...{
      id,
      connectionId: id % 2,
      name: `Compte courant ${id}`,
      bank: { name: `Banque ${id % 2}` },
    },
    ...{ currency: 'EUR', balanceMinor: id * 123_457, updatedAt: now, covered: true },
  }));
  return {
    accounts,
    connections: [0, 1].map((id) => ({ id, state: 'ok', consentEndsAt: null, hasPage: true })),
    attention: attentionKinds,
    ...{ transactionsChoice: 'off', transactions: null, publicUrl: 'https://exemple.fr' },
    previous: {
      day: '2026-01-11',
      balances: Object.fromEntries(
        accounts.map(({ id }) => [id, [id * 120_000, 'EUR'] as const]),
      ) as Record<string, [number, string]>,
    },
    localZone: { zone: 'Europe/Paris', offsetMinutes: null },
    now,
  };
}
