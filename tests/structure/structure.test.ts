import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DataExport } from '../../src/shared/contract/exports.ts';
import { exported, leftOut, tablesOfPersons } from './exported.ts';
import { circlesOf, importsBelow, specifiersOf } from './imports.ts';
import { exceptions } from './modules.ts';
import { maxMentions, mentionsOf, providers } from './names.ts';
import { againstTheOrder, intoProviders } from './order.ts';
import { claimsOf, faultsOf, looseMentions } from './security-claims.ts';
import { sourcesOfModules, tableOwners, tablesAgainstTheOrder } from './tables.ts';

const source = importsBelow('src');
const standins = importsBelow('standins');

describe('the order of the modules', () => {
  test('holds for every import, of types too', () => {
    expect(againstTheOrder(source)).toEqual([]);
  });

  test('knows at most three exceptions', () => {
    expect(exceptions.length).toBeLessThanOrEqual(3);
  });

  test('would name both files and the rule', () => {
    const imports = new Map([['src/server/platform/log.ts', ['src/server/banking/store.ts']]]);
    expect(againstTheOrder(imports)).toEqual([
      expect.stringMatching(/platform\/log\.ts imports .*banking\/store\.ts: platform must not/),
    ]);
  });

  test('would name them for the folders of notifications, such as alerts that know of deliveries', () => {
    const folder = 'src/server/notifications';
    const imports = new Map([[`${folder}/alerts/text.ts`, [`${folder}/deliveries/due.ts`]]]);
    expect(againstTheOrder(imports)).toEqual([
      expect.stringMatching(
        /text\.ts imports .*due\.ts: alerts must not import deliveries\. Order.*→/,
      ),
    ]);
  });
});

describe('the order of the modules in the database', () => {
  test('holds for the tables of every statement', () => {
    expect(tableOwners().size).toBeGreaterThan(30);
    expect(tablesAgainstTheOrder(sourcesOfModules())).toEqual([]);
  });

  test.each([
    'sql`select 1 from bank_accounts a join messengers m on m.user_id = a.user_id`',
    "database.sql.selectFrom('bank_accounts').innerJoin('messengers', 'messengers.id', 'id')",
    "transaction.updateTable('messengers as m').set({ message: '' })",
  ])('would name the file, the table and its module in %s', (statement) => {
    expect(tablesAgainstTheOrder(new Map([['src/server/banking/x.ts', statement]]))).toEqual([
      'src/server/banking/x.ts reads or writes messengers: banking must not use tables of notifications.',
    ]);
  });
});

describe('the export of a person’s data', () => {
  test('has every table that names a person, or a reason why not', () => {
    const named = [...Object.keys(exported), ...Object.keys(leftOut)];
    expect(tablesOfPersons().toSorted()).toEqual(named.toSorted());
  });

  test('has no part of which no table is named', () => {
    const parts = new Set(Object.values(exported));
    expect(['exportDate', ...parts].toSorted()).toEqual(
      Object.keys(DataExport.properties).toSorted(),
    );
  });
});

test('only what no session asked for locks a user without the session', () => {
  const locking = [...sourcesOfModules()].flatMap(([file, text]) =>
    /\block(Existing)?User\(/.test(text) && !file.includes('/identity/') ? [file] : [],
  );
  // Links in mails, ways back, events, readings, deletions. What a request writes takes `lockActor`.
  expect(locking.map((file) => file.replace('src/server/', '')).toSorted()).toEqual([
    'banking/connections/limits.ts',
    'banking/connections/removal.ts',
    'banking/source-links/queries.ts',
    'banking/source-links/with-link.ts',
    'notifications/alerts/evaluating.ts',
    'notifications/linking/consent.ts',
    'notifications/linking/invitations/inviting.ts',
    'notifications/linking/mailboxes/answering.ts',
    'privacy/deletion/requesting.ts',
  ]);
});

test('no files import one another in a circle', () => {
  expect(circlesOf(source)).toEqual([]);
  expect(circlesOf(standins)).toEqual([]);
  const circle = new Map([
    ['a', ['b']],
    ['b', ['c']],
    ['c', ['a', 'd']],
    ['d', []],
  ]);
  expect(circlesOf(circle)).toEqual([['a', 'b', 'c']]);
});

test('imports are found in every form', () => {
  const text = `import type { A } from './a.ts'; export * from './b.ts'; export { c } from './c.ts';
    const d = await import('./d.ts'); type E = import('./e.ts').E; import './f.ts';`;
  expect(specifiersOf('x.ts', text).sort()).toEqual(
    ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `./${name}.ts`),
  );
});

describe('a provider', () => {
  test('is imported by its registry alone', () => {
    expect(intoProviders(source)).toEqual([]);
  });

  const counts = providers.flatMap((named) =>
    Object.entries(maxMentions).map(
      ([folder, count]) => [named.name, folder, named, count] as const,
    ),
  );
  test.each(counts)('%s is named on few lines of %s', (name, folder, named, count) => {
    const lines = mentionsOf(folder, named);
    process.stdout.write(`${lines.length} lines of ${folder} name ${name} (at most ${count})\n`);
    expect(lines.length, lines.join('\n')).toBeLessThanOrEqual(count);
  });
});

describe('a claim of docs/security.md', () => {
  const document = readFileSync('docs/security.md', 'utf8');

  test('names a test that is there, or says why there is none', () => {
    const claims = claimsOf(document);
    expect(claims.length).toBeGreaterThan(60);
    expect(faultsOf(claims)).toEqual([]);
    expect(looseMentions(document)).toEqual([]);
  });

  test('would be found when its test is gone', () => {
    const here = 'tests/structure/structure.test.ts';
    const claims = claimsOf(
      `- Kept.\n  - \`${here}\`: "would be found when its test is gone"\n- Gone.\n  - \`${here}\`: "was here"\n- Bare.`,
    );
    expect(faultsOf(claims)).toEqual([
      `“Gone.” names the test “was here”, which ${here} has not.`,
      'No test proves “Bare.”.',
    ]);
    expect(looseMentions(`See \`${here}\`.`)).toHaveLength(1);
  });
});
