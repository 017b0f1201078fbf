import { bridge } from './bridge/definition.ts';
import type { BankSourceDefinition } from './definition.ts';
import { enablebanking } from './enablebanking/definition.ts';
import { files } from './files/definition.ts';
import { manual } from './manual/definition.ts';
import { ponto } from './ponto/definition.ts';
import { qonto } from './qonto/definition.ts';

/**
 * Every bank source there is, in the order in which one is preferred. A new one is its folder and a line
 * here.
 */
export const bankSources = [bridge, qonto, ponto, enablebanking, files, manual] as const;

/**
 * The sources whose accesses go on after the person's credentials are forgotten here, configured or not,
 * and for how long at most (`longestAccessMs`).
 */
export const lastingAccesses: ReadonlyMap<string, number> = new Map(
  bankSources.flatMap(({ kind, longestAccessMs }: BankSourceDefinition<string>) =>
    longestAccessMs === undefined ? [] : [[kind, longestAccessMs]],
  ),
);
