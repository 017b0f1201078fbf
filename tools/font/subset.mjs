// Makes src/web/design/font/inter.woff2: the letters, figures and signs that French screens use, in the
// weights 400 to 700. Run `npm ci --prefix tools/font && node tools/font/subset.mjs` after a change here.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';

const folder = new URL('../../src/web/design/font/', import.meta.url);
const source = new URL('node_modules/@fontsource-variable/inter/', import.meta.url);

/** As in the `unicode-range` of src/web/design/tokens.css: other characters are drawn by the system's font. */
const ranges = [
  [0x20, 0x7e],
  [0xa0, 0xff],
  // Œ, œ and Ÿ.
  [0x152, 0x153],
  [0x178, 0x178],
  // Thin spaces, dashes, quotation marks, the ellipsis.
  [0x2009, 0x2009],
  [0x2010, 0x2014],
  [0x2018, 0x201e],
  [0x2022, 0x2026],
  [0x202f, 0x202f],
  [0x20ac, 0x20ac],
  [0x2190, 0x2193],
  [0x2212, 0x2212],
];
const text = ranges
  .flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => from + index))
  .map((code) => String.fromCodePoint(code))
  .join('');

const font = await subsetFont(
  readFileSync(new URL('files/inter-latin-wght-normal.woff2', source)),
  text,
  {
    targetFormat: 'woff2',
    variationAxes: { wght: { min: 400, max: 700 } },
    keepFeatures: ['ccmp', 'kern', 'locl', 'mark', 'mkmk', 'tnum'],
    noHinting: true,
    // The copyright and the licence stay in the file itself, as the licence asks.
    preserveNameIds: [0, 13, 14],
  },
);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL('inter.woff2', folder), font);
copyFileSync(new URL('LICENSE', source), new URL('LICENSE', folder));
process.stdout.write(`${fileURLToPath(folder)}inter.woff2: ${font.length} bytes\n`);
