import type { NotificationsDeps } from '../notifications/deps.ts';
import { openHolder } from '../operations/commands/holder.ts';
import type { Configuration } from '../platform/configuration/configuration.ts';
import { type Front, openFront } from '../platform/http/listener.ts';
import { answerMetrics } from '../platform/metrics/answer.ts';
import { followAppSecret } from '../platform/vault/renewal.ts';
import { buildApp } from './http-application.ts';
import { pageRoutes } from './pages.ts';
import { type Choices, type Composition, compose } from './services.ts';
import { startWorker } from './worker.ts';

export interface RunningServer {
  parts: NotificationsDeps;
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

async function answers({ database }: NotificationsDeps): Promise<boolean> {
  await database.sql.selectNoFrom((is) => is.lit(1).as('one')).execute();
  return true;
}
