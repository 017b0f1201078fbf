import { globSync, readFileSync } from 'node:fs';
import { type ESTree, parseSync, Visitor } from 'vite';
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

test('a no-break space is found, as an entity too, and beside what stands in braces', () => {
  const code = "<p title=\"«&nbsp;a\">b{'\\u00a0'}? «{'\\u00a0'}{c}&nbsp;»<b>d</b>{' '}: e</p>";
  const texts = textsOf('some.tsx', code);
  expect(texts.filter(isFlawed)).toEqual(['b\u00a0? «\u00a0…\u00a0»… : e', '«\u00a0a']);
  const right = "<p>a{'\\u202f'}:\n  «{'\\u202f'}\n  {b}\n  {'\\u202f'}», 5&nbsp;€</p>";
  expect(textsOf('some.tsx', right).filter(isFlawed)).toEqual([]);
});

/** Another space than U+202F where a line must not end, or a curly apostrophe. */
function isFlawed(text: string): boolean {
  return /« | »|«\u00a0|\u00a0[»:;?!%]| [:;?!%](?=\s|$)/.test(text) || isCurly(text);
}

/** The specification's texts have straight apostrophes, so all others do. */
function isCurly(text: string): boolean {
  return /[‘’]/.test(text);
}

/** The strings of a file, and what its elements hold: neither code, nor comments, nor patterns. */
function textsOf(name: string, code: string): string[] {
  const texts: string[] = [];
  new Visitor({
    Literal: ({ value }) => typeof value === 'string' && texts.push(value),
    TemplateElement: ({ value }) => texts.push(value.cooked ?? ''),
    JSXElement: ({ children }) => texts.push(textIn(children)),
    JSXFragment: ({ children }) => texts.push(textIn(children)),
  }).visit(parseSync(name, code).program);
  return texts.map((text) => text.replaceAll(/&(nbsp|#160|#xa0);/gi, '\u00a0'));
}

/** In one piece, so that a space in braces stands beside its sign; "…" for what is not known here. */
function textIn(children: ESTree.JSXChild[]): string {
  return children
    .map((child) => {
      if (child.type === 'JSXText') return child.value.replaceAll(/[ \t]*\n\s*/g, lineEnd);
      if (child.type !== 'JSXExpressionContainer') return '…';
      const { expression } = child;
      if (expression.type === 'JSXEmptyExpression') return '';
      const isText = expression.type === 'Literal' && typeof expression.value === 'string';
      return isText ? expression.value : '…';
    })
    .join('');
}

/** The end of a line is a space between two words, and nothing beside an element or a brace. */
function lineEnd(found: string, at: number, text: string): string {
  return at === 0 || at + found.length === text.length ? '' : ' ';
}
