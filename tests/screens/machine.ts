import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findChromium } from '../runner/programs.ts';

/** What decides how a page looks to the pixel. */
interface Machine {
  browser: string;
  /** The file that the system's own font is. */
  font: string;
}

const machineFile = fileURLToPath(new URL('references/machine.json', import.meta.url));

function thisMachine(): Machine {
  return {
    browser: firstLine(findChromium() ?? 'chromium', ['--version']),
    font: firstLine('fc-match', ['--format', '%{file}', 'system-ui']),
  };
}

/** Null where the reference images were taken by the same browser with the same font; else why not. */
export function differenceFromReferences(): string | null {
  const reference = JSON.parse(readFileSync(machineFile, 'utf8')) as Machine;
  const { browser, font } = thisMachine();
  if (browser === reference.browser && font === reference.font) return null;
  return `Reference images were not compared: they were taken with ${reference.browser} and ${reference.font}, here are ${browser} and ${font}.`;
}

export function saveMachine(): void {
  writeFileSync(machineFile, `${JSON.stringify(thisMachine(), null, 2)}\n`);
}

function firstLine(program: string, args: string[]): string {
  try {
    return execFileSync(program, args, { encoding: 'utf8' }).split('\n', 1)[0]?.trim() ?? '';
  } catch {
    return `no ${program}`;
  }
}
