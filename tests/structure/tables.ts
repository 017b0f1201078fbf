import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { orders } from './modules.ts';

/** The module that owns the tables of each file of the schema. */
const ownerOfFile: Record<string, string> = {
  'accounts.ts': 'identity',
  'alerts.ts': 'notifications',
  'banks.ts': 'banking',
  'notifications.ts': 'notifications',
};

const serverFolder = 'src/server';
const schemaFolder = `${serverFolder}/platform/database/schema`;

/**
 * Every table with the module that owns it: a table is a line such as `  bank_links: {`. A file of the
 * schema without an owner is an error.
 */
export function tableOwners(): Map<string, string> {
  const tables = new Map<string, string>();
  for (const file of readdirSync(schemaFolder)) {
    const names = [
      ...readFileSync(join(schemaFolder, file), 'utf8').matchAll(/^ {2}([a-z_]+): .*\{$/gm),
    ];
    for (const [, table = ''] of names) {
      const owner = ownerOfFile[file];
      if (!owner) throw new Error(`The tables of ${schemaFolder}/${file} have no owner.`);
      tables.set(table, owner);
    }
  }
  return tables;
}

/** The statements of modules that name a table of a module after their own, each as a sentence. */
export function tablesAgainstTheOrder(files: Map<string, string>): string[] {
  const owners = tableOwners();
  const order = orders.find(({ below }) => below === serverFolder)?.rows.flat() ?? [];
  return [...files].flatMap(([file, text]) => {
    const module = file.slice(serverFolder.length + 1).split('/')[0] ?? '';
    return tablesIn(text).flatMap((table) => {
      const owner = owners.get(table);
      if (!owner || order.indexOf(owner) <= order.indexOf(module)) return [];
      return `${file} reads or writes ${table}: ${module} must not use tables of ${owner}.`;
    });
  });
}

const inSql = /\b(?:from|join|into|update)\s+(?:only\s+)?([a-z_]+)\b/g;
const inQueryBuilder =
  /\b(?:selectFrom|insertInto|updateTable|deleteFrom|using|\w+Join)\(\s*'([a-z_]+)\b/g;

function tablesIn(text: string): string[] {
  const names = [inSql, inQueryBuilder].flatMap((pattern) => [...text.matchAll(pattern)]);
  return [...new Set(names.map(([, name = '']) => name))];
}

/** The source of the modules, by path; migrations and the schema itself name every table. */
export function sourcesOfModules(): Map<string, string> {
  const paths = readdirSync(serverFolder, { recursive: true, encoding: 'utf8' })
    .map((path) => `${serverFolder}/${path}`)
    .filter((path) => path.endsWith('.ts') && !/\/database\/(migrations|schema)/.test(path));
  return new Map(paths.map((path) => [path, readFileSync(path, 'utf8')]));
}
