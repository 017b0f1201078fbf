import { totalmem } from 'node:os';
import { constrainedMemory } from 'node:process';
import { setFlagsFromString } from 'node:v8';

/** How the embedded database, which is WebAssembly, spends memory. */
export interface MemorySetting {
  name: 'small' | 'fast';
  /** The memory of this machine or of the container, whichever is less, in MiB. */
  availableMiB: number;
  /** PostgreSQL's own cache. The system caches the same files once more, outside this process. */
  sharedBuffers: string;
}

const mebibyte = 2 ** 20;

/**
 * Optimizing one single function of the database takes V8 600 MiB for a second. Where there is little
 * memory, the database keeps the code of V8's baseline compiler, which takes up to half as much
 * processor time more (docs/decisions/0019-memory-of-the-embedded-database.md).
 */
export function memorySettingFor(bytes: number): MemorySetting {
  const availableMiB = Math.floor(bytes / mebibyte);
  return bytes < 2048 * mebibyte
    ? { name: 'small', availableMiB, sharedBuffers: '16MB' }
    : { name: 'fast', availableMiB, sharedBuffers: '64MB' };
}

export function availableMemory(): number {
  const limit = constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** Call it before the database is compiled. It holds for all WebAssembly of this process. */
export function applyMemorySetting({ name }: MemorySetting): void {
  if (name === 'fast') return;
  setFlagsFromString('--no-wasm-tier-up');
  setFlagsFromString('--no-wasm-dynamic-tiering');
}
