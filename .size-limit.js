import { readFileSync } from 'node:fs';

const folder = 'dist/web';
const manifest = JSON.parse(readFileSync(`${folder}/.vite/manifest.json`, 'utf8'));

/** The JavaScript that loads before anybody touches the page: its entry, its screen, their imports. */
export default [
  { name: '/login', path: scriptsOf('index.html', 'sessions/LoginPage.tsx'), limit: '68 KiB' },
  { name: '/', path: scriptsOf('index.html', 'home/Home.tsx'), limit: '85 KiB' },
  { name: 'CSS', path: `${folder}/assets/*.css`, limit: '5 KiB' },
];

function scriptsOf(...sources) {
  const found = new Set();
  for (const source of sources) follow(source, found);
  return [...found].map((source) => `${folder}/${manifest[source].file}`);
}

function follow(source, found) {
  if (found.has(source)) return;
  found.add(source);
  for (const imported of manifest[source].imports ?? []) follow(imported, found);
}
