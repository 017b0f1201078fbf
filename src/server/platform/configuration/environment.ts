import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { parseEnv } from 'node:util';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The variables of the `.env` file in `folder`, overridden by those of the process. Nothing else in
 * the program reads either.
 */
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
