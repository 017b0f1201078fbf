import { fsyncSync } from 'node:fs';
import type { postgresMod } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/**
 * PGlite's files, which by themselves answer a sync without doing it: after a checkpoint the log no
 * longer holds what was not synced, and a power cut would break the database.
 */
export class SyncedFiles extends NodeFS {
  override init(...[pglite, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    return super.init(pglite, { ...options, preRun: [...(options.preRun ?? []), makeSync] });
  }
}

function makeSync({ NODEFS }: postgresMod.PostgresMod): void {
  const files = NODEFS as unknown as FilesOfNode;
  files.stream_ops.fsync = ({ nfd }) => files.tryFSOperation(() => fsyncSync(nfd));
}

/** Emscripten's NODEFS, as far as it is used here. */
interface FilesOfNode {
  stream_ops: { fsync?: (stream: { nfd: number }) => void };
  /** Makes an error of Node one that PostgreSQL understands. */
  tryFSOperation(operation: () => void): void;
}
