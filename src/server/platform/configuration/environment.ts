import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { parseEnv } from 'node:util';
import { hasErrorCode } from '../error-code.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The variables of the `.env` file in `folder`, overridden by those of the process: by an empty one too,
 * which unsets it. Nothing else in the program reads either.
 */
export function readEnvironment(folder: string): Environment {
  return { ...readFile(join(folder, '.env')), ...env };
}

function readFile(path: string): Environment {
  try {
    // Windows editors write a byte order mark, which would be a part of the first name.
    return parseEnv(readFileSync(path, 'utf8').replace(/^\ufeff/, ''));
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return {};
    throw error;
  }
}
