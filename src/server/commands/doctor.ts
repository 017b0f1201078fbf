import { cwd, exit, stdout } from 'node:process';
import { openProviders } from '../app/services.ts';
import { runTask } from '../operations/commands/task-client.ts';
import { terminalText } from '../operations/commands/terminal-text.ts';
import { examine } from '../operations/doctor/examination.ts';
import { type Finding, fault, pluralized } from '../operations/doctor/finding.ts';
import { systemClock } from '../platform/clock.ts';
import { ConfigurationFaults } from '../platform/configuration/configuration.ts';
import { requireNoDemonstration } from '../platform/configuration/demonstration-folder.ts';
import { readEnvironment } from '../platform/configuration/environment.ts';
import { createGuard } from '../platform/http-client/guarded-client.ts';
import { createHttpClient } from '../platform/http-client/http-client.ts';
import { createLog } from '../platform/log.ts';
import { createMetrics } from '../platform/metrics/metrics.ts';
import { readConfiguration } from '../providers/configuration.ts';

/** `npm run doctor`: exits 1 when a check found a fault. */
const counts = { well: 0, warning: 0, fault: 0 };
const marks = { well: '✓', warning: '!', fault: '✗' };
for await (const { level, about, words, remedy } of findings()) {
  counts[level] += 1;
  const lines = [`${marks[level]} ${about} : ${words}`, ...(remedy ? [`    → ${remedy}`] : [])];
  stdout.write(lines.map((line) => `${terminalText(line)}\n`).join(''));
}
stdout.write(
  `\n${pluralized(counts.fault, 'panne', 'pannes')}, ${pluralized(counts.warning, 'point', 'points')} à voir, ${counts.well} en ordre.\n`,
);
exit(counts.fault === 0 ? 0 : 1);

async function* findings(): AsyncGenerator<Finding> {
  try {
    const configuration = readConfiguration(readEnvironment(cwd()), 'serve', cwd());
    requireNoDemonstration(configuration);
    const log = createLog('silent');
    const clock = systemClock;
    const httpClient = createHttpClient({ log });
    const metrics = createMetrics(() => Promise.reject());
    const { open: openGuardedClient } = createGuard({ log });
    const free = () => async () => 0;
    const deps = { httpClient, openGuardedClient, metrics, log, clock };
    yield* examine({
      configuration,
      httpClient,
      clock,
      ...openProviders(configuration, { ...deps, callLimiterOf: free, keyedLimiterOf: free }),
      inspect: () => runTask(configuration, 'inspect'),
    });
  } catch (error) {
    if (!(error instanceof ConfigurationFaults)) throw error;
    const remedy = "Corrigez .env ou l'environnement, puis relancez.";
    for (const words of error.faults) yield fault('Configuration', words, remedy);
  }
}
