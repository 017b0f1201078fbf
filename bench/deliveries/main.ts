/**
 * `npm run bench:deliveries`: the speed of deliveries, as ratios to a bare loop of the same posts on
 * the same machine in the same run. Arguments select parts: `burst single planning history large chats
 * paces stall`.
 */

import { table } from '../table.ts';
import { measureBurst, measureLarge } from './burst.ts';
import { measureChats, measurePaces, measureStall } from './chats/measuring.ts';
import { measureHistory, measurePlanning } from './planning-growth.ts';
import { measureSingle } from './singles.ts';

const asked = process.argv.slice(2);
const services = {
  burst: ['10,000 due at one moment, each in its own workspace, concurrency 200', measureBurst],
  single: ['A single notification due, 150 times', measureSingle],
  planning: ['Planning 10,000 due, of 10,000 and of 1,000,000 messengers', measurePlanning],
  history: ['The log of 10,000 deliveries, fresh and after 100 days', measureHistory],
  chats: ['1,500 due at one moment in each chat, without its pace', measureChats],
  paces: ['Every chat at once, at its own pace', measurePaces],
  stall: ['1,000 due beside 1,000 of a chat that does not answer', measureStall],
  large: ['100,000 due at one moment, PostgreSQL', measureLarge],
} as const;
for (const [name, [title, measure]] of Object.entries(services)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  process.stdout.write(`\n${title}\n\n${table(await measure())}\n`);
}
