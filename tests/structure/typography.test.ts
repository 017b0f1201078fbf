import { globSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'vite';
import { expect, test } from 'vitest';

/** A terminal is no page: words to be copied stand between ordinary spaces there. */
const inTerminals =
  /^(bin\/|standins\/demo\/(main|loopback)\.ts|src\/server\/(commands|platform\/(configuration|database)|operations\/(backup|commands|doctor)|app\/lifetime|providers\/(configuration|credentials|\w+\/\w+\/definition))\b)/;

const files = globSync([
  'src/{web,server,shared}/**/*.{ts,tsx}',
  'standins/**/*.ts',
  'bin/**/*.mjs',
]);

test.each(files)('%s is set as French is', (name) => {
  const texts = textsOf(name, readFileSync(name, 'utf8'));
  expect(texts.filter(inTerminals.test(name) ? isCurly : isFlawed)).toEqual([]);
});

test('a sign at the start of a line and a curly apostrophe are found, code and comments are not', () => {
  const code = "const a = b ? '« c' : `d : f`; const g = <p>h\n  ; i</p>; // l’an\nj('k’l %');";
  const texts = textsOf('some.tsx', code);
  expect(texts.filter(isFlawed)).toEqual(['« c', 'd : f', 'h ; i', 'k’l %']);
  expect(texts.filter(isCurly)).toEqual(['k’l %']);
});

/** Another space than U+202F where a line must not end, or a curly apostrophe. */
function isFlawed(text: string): boolean {
  return /« | »|«\u00a0|\u00a0[»:;?!%]| [:;?!%](?=\s|$)/.test(text) || isCurly(text);
}

/** The specification's texts have straight apostrophes, so all others do. */
function isCurly(text: string): boolean {
  return /[‘’]/.test(text);
}

/** The strings of a file: neither its code, nor its comments, nor its patterns. */
function textsOf(name: string, code: string): string[] {
  const texts: string[] = [];
  new Visitor({
    Literal: ({ value }) => typeof value === 'string' && texts.push(value),
    TemplateElement: ({ value }) => texts.push(value.cooked ?? ''),
    JSXText: ({ value }) => texts.push(value.replaceAll(/\s+/g, ' ')),
  }).visit(parseSync(name, code).program);
  return texts;
}
