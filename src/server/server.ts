import { openHolder } from './commands/holder.ts';
import { type Choices, type Composition, compose } from './compose.ts';
import type { Configuration } from './configuration/configuration.ts';
import { startWorker } from './deliveries/worker.ts';
import { buildApp } from './http/app.ts';
import { type Front, openFront } from './http/front.ts';
import { pageRoutes } from './http/pages.ts';
import { answerMetrics } from './metrics/answer.ts';
import type { Parts } from './parts.ts';
import { followAppSecret } from './secrets/renewal.ts';

export interface RunningServer {
  parts: Parts;
  port: number;
  /** Stops taking work, finishes what is in flight within ten seconds, closes everything. */
  stop(): Promise<void>;
}

/** The whole program in the role its configuration says. Listens first, so that health answers. */
export async function startServer(
  configuration: Configuration,
  choices: Choices = {},
): Promise<RunningServer> {
  const front = await openFront(configuration);
  try {
    return await fill(front, await compose(configuration, choices));
  } catch (error) {
    await front.close(0);
    throw error;
  }
}

const patienceMs = 10_000;

async function fill(front: Front, { parts, close }: Composition): Promise<RunningServer> {
  const { role } = parts.configuration;
  const app = role === 'worker' ? null : await buildApp(parts);
  if (app) await app.register(pageRoutes(parts));
  await app?.ready();
  if (app) front.handOver(app.routing);
  front.showMetrics((request, response) => answerMetrics(parts, request, response));
  const worker = role === 'web' ? null : await startWorker(parts);
  const secrets = followAppSecret(parts);
  const holder = await openHolder(parts);
  front.becomeReady(() => answers(parts));
  return {
    parts,
    port: front.port,
    async stop() {
      front.becomeReady(async () => false);
      secrets.stop();
      await holder.close();
      await Promise.all([worker?.stop(), front.close(patienceMs)]);
      await app?.close();
      await close();
    },
  };
}

async function answers({ database }: Parts): Promise<boolean> {
  await database.sql.selectNoFrom((is) => is.lit(1).as('one')).execute();
  return true;
}
