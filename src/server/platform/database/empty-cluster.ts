import { existsSync } from 'node:fs';
import { chmod, cp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
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
  // The service may run as another user than the one who built, and only that one may write what it copies:
  // PGlite keeps one of its files to its owner, and lets everyone write the others.
  await setModes(unfinished, { folders: 0o755, files: 0o644 });
  await rename(unfinished, template);
}

async function setModes(
  folder: string,
  { folders, files }: { folders: number; files: number },
): Promise<void> {
  await chmod(folder, folders);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? folders : files);
  }
}

/** Puts the template at `cluster`, whole or not at all. Without one, PGlite creates its own. */
export async function copyTemplate(cluster: string): Promise<void> {
  const template = await templateFolder();
  if (!existsSync(template)) return;
  const unfinished = `${cluster}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await cp(template, unfinished, { recursive: true });
  // All rights to write may have been taken away at the installation.
  await setModes(unfinished, { folders: 0o700, files: 0o600 });
  await rm(cluster, { recursive: true, force: true });
  await rename(unfinished, cluster);
}

/** Beside the built web app. Another version of PGlite may need other files. */
export async function templateFolder(): Promise<string> {
  const manifest = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'));
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
  return fileURLToPath(new URL(`../../../../dist/empty-cluster-${version}`, import.meta.url));
}
