import { exceptions, orders } from './modules.ts';

/** The imports that run against the order of the modules, each as a sentence with the rule. */
export function againstTheOrder(imports: Map<string, string[]>): string[] {
  const found: string[] = [];
  for (const [file, imported] of imports) {
    for (const other of imported) {
      const fault = faultOf(file, other);
      if (fault) found.push(fault);
    }
  }
  return found;
}

function faultOf(from: string, to: string): string | null {
  for (const { below, rows } of orders) {
    const here = partOf(below, from);
    const there = partOf(below, to);
    if (here === null || there === null || here === there || isExcepted(from, to)) continue;
    const [mine, theirs] = [here, there].map((part) =>
      rows.findIndex((row) => row.includes(part)),
    ) as [number, number];
    const unknown = [here, there].filter((_, index) => [mine, theirs][index] === -1);
    if (unknown.length > 0) return `${from} → ${to}: ${unknown.join()} has no place in the order.`;
    if (theirs < mine) continue;
    const rule = rows.map((row) => row.join(' | ')).join(' → ');
    return `${from} imports ${to}: ${here} must not import ${there}. Order, lowest first: ${rule}.`;
  }
  return null;
}

/** The folder or file right below `folder`, or null where `path` is elsewhere. */
function partOf(folder: string, path: string): string | null {
  return path.startsWith(`${folder}/`)
    ? (path.slice(folder.length + 1).split('/')[0] ?? null)
    : null;
}

function isExcepted(from: string, to: string): boolean {
  return exceptions.some((one) => from.startsWith(one.from) && to.startsWith(one.to));
}

/** Imports of a provider's folder from outside it, but by its registry and the tests. */
export function intoProviders(imports: Map<string, string[]>): string[] {
  return [...imports].flatMap(([file, imported]) =>
    imported.flatMap((other) => {
      const folder = /^src\/server\/providers\/(?:banks|chats)\/[^/]+\//.exec(other)?.[0];
      if (!folder || file.startsWith(folder) || /providers\/\w+\/registry\.ts$/.test(file))
        return [];
      return `${file} imports ${other}: only the registry names a provider; use the port.`;
    }),
  );
}
