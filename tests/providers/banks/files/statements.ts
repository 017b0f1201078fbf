import { readFile } from 'node:fs/promises';
import { readStatement } from '../../../../src/server/providers/banks/files/read-file.ts';

/** A file as a bank gives it. */
export const sample = (name: string) => readFile(new URL(`samples/${name}`, import.meta.url));

export const text = (content: string) => new TextEncoder().encode(content);

/** The accounts of a table of these lines. */
export const table = (header: string, ...rows: string[]) =>
  readStatement(text([header, ...rows, ''].join('\n'))).accounts;
