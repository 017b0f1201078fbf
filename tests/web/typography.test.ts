import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'vite';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('../../src/', import.meta.url));

/** A terminal is no page: words to be copied stand between ordinary spaces there. */
const inTerminals =
  /^server\/(commands|platform\/(configuration|database)|operations\/(backup|commands|doctor)|app\/lifetime|providers\/(configuration|credentials|\w+\/\w+\/definition))\b/;

const files = globSync('{web,server,shared}/**/*.{ts,tsx}', { cwd: folder });

test.each(files.filter((name) => !inTerminals.test(name)))('%s is set as French is', (name) => {
  expect(flawed(textsOf(name, readFileSync(folder + name, 'utf8')))).toEqual([]);
});

test('a sign at the start of a line and a curly apostrophe are found, code and comments are not', () => {
  const code = "const a = b ? '« c' : `d : f`; const g = <p>h\n  ; i</p>; // l’an\nj('k’l %');";
  expect(flawed(textsOf('some.tsx', code))).toEqual(['« c', 'd : f', 'h ; i', 'k’l %']);
});

/** Another space than U+202F where a line must not end, and the other of the two apostrophes. */
function flawed(texts: string[]): string[] {
  return texts.filter((text) => /« | »|«\u00a0|\u00a0[»:;?!%]| [:;?!%](?=\s|$)|’/.test(text));
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
