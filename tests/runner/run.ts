import { type ChildProcess, spawn } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { Count } from './counts.ts';
import type { Step } from './steps.ts';

const children = new Set<ChildProcess>();

/** Ends with what it started, also when the launcher was killed and can pass nothing on. */
export function endWithChildren(): void {
  for (const end of ['SIGINT', 'SIGTERM', 'disconnect'] as const) {
    process.once(end, () => {
      for (const child of children) child.kill('SIGTERM');
      process.exit(1);
    });
  }
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs one step, prints its result, and its whole output when it failed. */
export async function runStep(step: Step): Promise<Count> {
  const started = performance.now();
  const { code, output } = await execute(step);
  const count = countOf(step, code);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const mark = count.failed === 0 ? '✓' : '✗';
  const words = step.count ? `${count.passed} passed, ${count.failed} failed, ` : '';
  process.stdout.write(`${mark} ${step.name} (${words}${seconds} s)\n`);
  if (count.failed > 0) process.stdout.write(`${output.trimEnd()}\n\n`);
  return count;
}

/** A run that ended badly without one failed test (a crash, no result file) counts as one. */
function countOf(step: Step, code: number): Count {
  const check = code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  if (!step.count) return check;
  try {
    const count = step.count();
    const isSilent = count.failed === 0 && (code !== 0 || count.passed === 0);
    return isSilent ? { passed: count.passed, failed: 1 } : count;
  } catch {
    return { passed: 0, failed: 1 };
  }
}

async function execute(step: Step): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, [join(root, 'node_modules', step.script), ...step.args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...step.environment,
      NO_COLOR: '1',
      // Whatever a step starts by the name of node is this Node.
      PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}`,
    },
  });
  children.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk;
    });
  }
  const code = await new Promise<number>((resolve) => {
    child.once('error', (error) => {
      output += error.message;
      resolve(1);
    });
    child.once('close', (status) => resolve(status ?? 1));
  });
  children.delete(child);
  return { code, output };
}
