import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, test } from 'vitest';

const sheet = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../src/web/design/${name}`, import.meta.url)), 'utf8');
const css = sheet('tokens.css');

/** A token's colour in light and in dark, as #rrggbb; null for what is no opaque colour. */
function colours(token: string): { light: string; dark: string } {
  const value = new RegExp(`--${token}: ([^;]+);`).exec(css)?.[1] ?? '';
  const [light = '', dark = light] = value.match(/#[0-9a-f]{6}/g) ?? [];
  return { light, dark };
}

const grounds = ['page', 'surface', 'sunken'];

/** What is written on what. WCAG 2.2 AA, 1.4.3: 4.5:1. */
const texts: [string, string][] = [
  ...['text', 'quiet', 'blue', 'blue-strong'].flatMap((text) =>
    grounds.map((ground): [string, string] => [text, ground]),
  ),
  ['red', 'surface'],
  ['red', 'page'],
  ['text', 'blue-soft'],
  ['text', 'green-soft'],
  ['quiet', 'blue-soft'],
  ['blue', 'blue-soft'],
  ['blue-strong', 'blue-soft'],
  ['on-blue', 'blue'],
  ['on-blue', 'blue-strong'],
  ['on-green', 'green'],
  ['on-green', 'green-strong'],
  ['green', 'green-soft'],
  ['orange', 'orange-soft'],
  ['red', 'red-soft'],
  ['on-red', 'red'],
  ['on-red', 'red-strong'],
  ...Array.from({ length: 8 }, (_, tone): [string, string] => ['on-tone', `tone-${tone}`]),
];

/** Edges of controls and marks that carry a meaning. WCAG 2.2 AA, 1.4.11: 3:1. */
const shapes: [string, string][] = [
  ...grounds.map((ground): [string, string] => ['edge', ground]),
  ...grounds.map((ground): [string, string] => ['blue', ground]),
  ['green', 'surface'],
  ['red', 'surface'],
  ['orange', 'surface'],
];

/** Lines and grounds that say nothing a text beside them does not say. */
const ornaments = ['line', 'bone', 'orange-edge', 'red-edge', 'shade'];

describe.each(['light', 'dark'] as const)('in %s', (scheme) => {
  it.each(texts)('%s is readable on %s', (text, ground) => {
    expect(contrast(colours(text)[scheme], colours(ground)[scheme])).toBeGreaterThanOrEqual(4.5);
  });

  it.each(shapes)('%s is visible on %s', (shape, ground) => {
    expect(contrast(colours(shape)[scheme], colours(ground)[scheme])).toBeGreaterThanOrEqual(3);
  });
});

test('what an empty field suggests is as readable as other quiet text', () => {
  // A browser's own colour for it is fainter, and axe does not look at it.
  const [, rule = ''] = /::placeholder \{([^}]*)\}/.exec(sheet('base.css')) ?? [];
  expect(rule).toContain('color: var(--quiet);');
  expect(rule).toContain('opacity: 1;');
});

test('every colour has been thought of', () => {
  const named = [...css.matchAll(/--([a-z-]+\d?): (?:light-dark\()?(?:#|rgb\()/g)].map(
    ([, name]) => name,
  );
  const checked = new Set([...texts.flat(), ...shapes.flat(), ...ornaments]);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((name) => !checked.has(name ?? ''))).toEqual([]);
});

/** WCAG 2.2, contrast ratio of two colours written #rrggbb. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
