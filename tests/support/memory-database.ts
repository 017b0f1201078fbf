import { openAsBlob } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import { type OpenDatabase, wrapEmbedded } from '../../src/server/platform/database/open.ts';
import { parsers } from '../../src/server/platform/database/types.ts';
import { packedEmptyDatabase } from './empty-database.ts';
import { prepare } from './prepare.ts';
import { packedPreparedDatabase } from './prepared-database.ts';
import { describeOriginal, type Original, restoreOriginal } from './used-database.ts';

/** A fresh embedded database in memory, without any table. */
export async function openMemoryDatabase(): Promise<OpenDatabase> {
  return wrapEmbedded(await load(await openAsBlob(await packedEmptyDatabase())));
}

/** A fresh one that has every table and queue, as a start of the program leaves them. */
export async function openPreparedDatabase(): Promise<OpenDatabase> {
  prepared ??= packPrepared();
  const { packed, original } = await prepared;
  return wrapEmbedded(lend(idle.pop() ?? (await load(packed)), original));
}

/** Of this process. They were used before, and are as they were at first. */
const idle: PGlite[] = [];

/** As if it were opened for its user alone: who closes it cannot use it any more, others can. */
function lend(embedded: PGlite, original: Original): PGlite {
  let isClosed = false;
  const close = async () => {
    isClosed = true;
    if (await restoreOriginal(embedded, original)) idle.push(embedded);
    else await embedded.close();
  };
  return new Proxy(embedded, {
    get(target, name) {
      if (name === 'closed') return isClosed;
      if (isClosed) throw new Error('PGlite is closed');
      if (name === 'close') return close;
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

let prepared: ReturnType<typeof packPrepared> | null = null;

/** Made once in each process, from the one that is kept between runs: to load it takes less time. */
async function packPrepared(): Promise<{ packed: Blob; original: Original }> {
  const embedded = await load(await openAsBlob(await packedPreparedDatabase()));
  // What that one lacks, if its name does not tell it from a newer one.
  await prepare(wrapEmbedded(embedded));
  // The templates for further databases are half of all the files, and no database is added.
  await embedded.exec('update pg_database set datistemplate = false');
  for (const name of ['template0', 'template1']) await embedded.exec(`drop database ${name}`);
  const packed = await embedded.dumpDataDir('none');
  const original = await describeOriginal(embedded);
  idle.push(embedded);
  return { packed, original };
}

async function load(loadDataDir: Blob): Promise<PGlite> {
  program ??= readProgram();
  return PGlite.create({ loadDataDir, parsers, startParams, ...(await program) });
}

let program: ReturnType<typeof readProgram> | null = null;

/** Compiled once in each process, and not for every database anew. */
async function readProgram(): Promise<{ pgliteWasmModule: WebAssembly.Module; fsBundle: Blob }> {
  const file = (name: string) =>
    readFile(new URL(`../../node_modules/@electric-sql/pglite/dist/${name}`, import.meta.url));
  return {
    pgliteWasmModule: await WebAssembly.compile(await file('pglite.wasm')),
    fsBundle: new Blob([await file('pglite.data')]),
  };
}

/** Of the usual 128 MB of buffers, each start would prepare every page. */
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=8MB'];
