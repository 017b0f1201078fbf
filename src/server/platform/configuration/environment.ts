import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { parseEnv } from 'node:util';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The process's environment over the `.env` file of `folder`: the one place that looks at either. */
export function readEnvironment(folder: string): Environment {
  return { ...readFile(join(folder, '.env')), ...env };
}

function readFile(path: string): Environment {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
}
