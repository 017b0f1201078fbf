import { existsSync } from 'node:fs';
import { cp, readFile, rename, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';

/**
 * Creating a cluster takes three seconds and twice the memory of everything else, so the build does
 * it once: an empty cluster, as files, which a first start copies. Does nothing when there is one.
 */
export async function makeTemplate(): Promise<void> {
  const template = await templateFolder();
  if (existsSync(template)) return;
  const unfinished = `${template}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  const pglite = await PGlite.create(unfinished);
  // One that was not closed would be recovered by each start that copies it.
  await pglite.close();
  await rename(unfinished, template);
}

/** Puts the template at `cluster`, whole or not at all. Without one, PGlite creates its own. */
export async function copyTemplate(cluster: string): Promise<void> {
  const template = await templateFolder();
  if (!existsSync(template)) return;
  const unfinished = `${cluster}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await cp(template, unfinished, { recursive: true });
  await rm(cluster, { recursive: true, force: true });
  await rename(unfinished, cluster);
}

/** Beside the built web app. Another version of PGlite may need other files. */
async function templateFolder(): Promise<string> {
  const manifest = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'));
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
  return fileURLToPath(new URL(`../../../../dist/cluster-${version}`, import.meta.url));
}
