import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseSync, Visitor } from 'vite';

/** Each source file below `folder` with the files that it imports, types included, as paths from here. */
export function importsBelow(folder: string): Map<string, string[]> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return new Map(files.map((file) => [file, importsOf(file)]));
}

function importsOf(file: string): string[] {
  return specifiersOf(file, readFileSync(file, 'utf8'))
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => normalize(join(dirname(file), specifier)));
}

/** In every form: imports, re-exports, `import()` of a module and of a type. */
export function specifiersOf(file: string, source: string): string[] {
  const { module, program } = parseSync(file, source);
  const found = new Set([
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
  ]);
  const visitor = new Visitor({
    ImportExpression({ source: asked }) {
      if (asked.type === 'Literal') found.add(String(asked.value));
    },
    TSImportType({ source: asked }) {
      found.add(asked.value);
    },
  });
  visitor.visit(program);
  return [...found];
}

/** Groups of files that import one another in a circle (Tarjan's strongly connected components). */
export function circlesOf(imports: Map<string, string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];

  function visit(file: string): number {
    const mine = order.size;
    order.set(file, mine);
    stack.push(file);
    let low = mine;
    for (const other of imports.get(file) ?? []) {
      if (!imports.has(other)) continue;
      if (!order.has(other)) low = Math.min(low, visit(other));
      else if (stack.includes(other)) low = Math.min(low, order.get(other) ?? low);
    }
    lowest.set(file, low);
    if (low === mine) {
      const circle = stack.splice(stack.indexOf(file));
      if (circle.length > 1 || imports.get(file)?.includes(file)) circles.push(circle);
    }
    return low;
  }

  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return circles;
}
