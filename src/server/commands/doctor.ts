import { argv, cwd, exit, stderr, stdout } from 'node:process';
import { openProvidersOfCommand } from '../app/services.ts';
import { runTask } from '../operations/commands/task-client.ts';
import { terminalText } from '../operations/commands/terminal-text.ts';
import { examine } from '../operations/doctor/examination.ts';
import { type Finding, fault, pluralized } from '../operations/doctor/finding.ts';
import { systemClock } from '../platform/clock.ts';
import { ConfigurationFaults } from '../platform/configuration/configuration.ts';
import { requireNoDemonstration } from '../platform/configuration/demonstration-folder.ts';
import { readEnvironment } from '../platform/configuration/environment.ts';
import { createLog } from '../platform/log.ts';
import { readConfiguration } from '../providers/configuration.ts';

/** `npm run doctor`: exits 1 when a check found a fault. */
if (argv.length > 2) {
  stderr.write('npm run doctor, sans argument\n');
  exit(1);
}
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
    const clock = systemClock;
    yield* examine({
      configuration,
      clock,
      ...openProvidersOfCommand(configuration, { log: createLog('silent'), clock }),
      inspect: () => runTask(configuration, 'inspect'),
    });
  } catch (error) {
    if (!(error instanceof ConfigurationFaults)) throw error;
    const remedy = "Corrigez .env ou l'environnement, puis relancez.";
    for (const words of error.faults) yield fault('Configuration', words, remedy);
  }
}
