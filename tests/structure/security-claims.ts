import { existsSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'vite';

/** A claim of docs/security.md: a point of a list, and what stands under it. */
interface Claim {
  words: string;
  /** The tests that prove it, by file and title. */
  tests: { file: string; title: string }[];
  /** Why there is none. */
  reason: string | null;
}

const proof = /^ {2}- `(tests\/[^`]+)`: "(.+)"$/;

export function claimsOf(markdown: string): Claim[] {
  const claims: Claim[] = [];
  for (const line of markdown.split('\n')) {
    const claim = claims.at(-1);
    const [, file, title] = proof.exec(line) ?? [];
    if (line.startsWith('- ')) claims.push({ words: line.slice(2), tests: [], reason: null });
    else if (claim && file && title) claim.tests.push({ file, title });
    else if (claim && line.startsWith('  - No test: ')) claim.reason = line.slice(13);
  }
  return claims;
}

/** What is wrong with the proofs of these claims, each as a sentence. */
export function faultsOf(claims: Claim[]): string[] {
  return claims.flatMap(({ words, tests, reason }) => {
    if (tests.length === 0 && reason === null) return [`No test proves “${words}”.`];
    return tests
      .filter(({ file, title }) => !titlesOf(file).has(title))
      .map(({ file, title }) => `“${words}” names the test “${title}”, which ${file} has not.`);
  });
}

/** Mentions of a test file that name no test in it, so that no check follows them. */
export function looseMentions(markdown: string): string[] {
  return markdown
    .split('\n')
    .filter((line) => /tests\/[\w/-]+\.test\.ts/.test(line) && !proof.test(line));
}

const known = new Map<string, Set<string>>();

/** The titles of the tests of a file, with the placeholders of those that run for each of a list. */
function titlesOf(file: string): Set<string> {
  const titles = known.get(file) ?? readTitles(file);
  known.set(file, titles);
  return titles;
}

function readTitles(file: string): Set<string> {
  const titles = new Set<string>();
  if (!existsSync(file)) return titles;
  const { program } = parseSync(file, readFileSync(file, 'utf8'));
  const visitor = new Visitor({
    CallExpression({ callee, arguments: [title] }) {
      if (title?.type !== 'Literal' || typeof title.value !== 'string') return;
      if (rootOf(callee) === 'test' || rootOf(callee) === 'it') titles.add(title.value);
    },
  });
  visitor.visit(program);
  return titles;
}

interface Callee {
  type: string;
  name?: unknown;
  object?: Callee;
  callee?: Callee;
}

/** `it` of `it('…')`, of `it.each([…])('…')` and of `it.each<T>([…])('…')`. */
function rootOf(callee: object): unknown {
  const { type, name, object, callee: inner } = callee as Callee;
  if (type === 'Identifier') return name;
  const next = object ?? inner;
  return next ? rootOf(next) : null;
}
