import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A memory group of the kernel (cgroup v1 or v2). Its processes are killed beyond the limit. */
export interface MemoryGroup {
  /** Runs `program` inside the group from its first instruction on. */
  wrap(program: string[]): string[];
  /** How many processes of the group were killed for want of memory. */
  kills(): number;
  /** The group must have no process any more. */
  close(): void;
}

/** Null where this machine has no memory controller or this account may not make a group. */
export function openMemoryGroup(name: string, mebibytes: number): MemoryGroup | null {
  const version = versions.find(({ parent, probe }) => existsSync(join(parent, probe)));
  if (!version) return null;
  const group = join(version.parent, name);
  try {
    mkdirSync(group, { recursive: true });
    for (const file of version.limits) writeFileSync(join(group, file), `${mebibytes * 2 ** 20}`);
  } catch {
    return null;
  }
  const enter = 'echo $$ > "$0" && exec "$@"';
  return {
    wrap: (program) => ['/bin/sh', '-c', enter, join(group, 'cgroup.procs'), ...program],
    kills() {
      const text = readFileSync(join(group, version.events), 'utf8');
      return Number(/^oom_kill (\d+)/m.exec(text)?.[1] ?? 0);
    },
    close: () => rmdirSync(group),
  };
}

const versions = [
  {
    parent: '/sys/fs/cgroup',
    probe: 'memory.max',
    limits: ['memory.max'],
    events: 'memory.events',
  },
  {
    parent: '/sys/fs/cgroup/memory',
    probe: 'memory.limit_in_bytes',
    limits: ['memory.limit_in_bytes'],
    events: 'memory.oom_control',
  },
];
