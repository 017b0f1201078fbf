import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('../../src/web/', import.meta.url));

/** A style module gives its animations names of its own: those of another file mean nothing there. */
test.each(globSync('**/*.css', { cwd: folder }))('%s draws the animations it names', (name) => {
  const css = readFileSync(folder + name, 'utf8');
  const used = [...css.matchAll(/animation: ([a-z]+) /g)].map(([, animation]) => animation);
  const drawn = [...css.matchAll(/@keyframes ([a-z]+)/g)].map(([, animation]) => animation);
  expect(drawn).toEqual(expect.arrayContaining(used));
  expect(used).toEqual(expect.arrayContaining(drawn));
});
