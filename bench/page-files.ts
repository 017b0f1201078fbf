import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface Chunk {
  file: string;
  name?: string;
  imports?: string[];
  css?: string[];
}

const built = fileURLToPath(new URL('../dist/web/', import.meta.url));

/** The source file of each page, by its name in the build's manifest. */
const pages = {
  '/login': 'session/LoginPage.tsx',
  '/': 'home/Home.tsx',
  '/signup': 'session/SignupPage.tsx',
  '/cgu': 'documents/TermsPage.tsx',
} as const;

export type PagePath = keyof typeof pages;
export const pagePaths = Object.keys(pages) as PagePath[];

/** The paths of every script and style sheet that a page loads before the first interaction. */
export function pageFiles(page: PagePath): { scripts: string[]; styles: string[] } {
  const manifest = JSON.parse(readFileSync(`${built}.vite/manifest.json`, 'utf8')) as Record<
    string,
    Chunk
  >;
  const files = new Set<string>();
  const collect = (name: string): void => {
    // A chunk with more than one module is found by the name of its file.
    const chunk =
      manifest[name] ?? Object.values(manifest).find((one) => one.name === bareName(name));
    if (!chunk) throw new Error(`The build holds no ${name}.`);
    if (files.has(chunk.file)) return;
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    for (const needed of chunk.imports ?? []) collect(needed);
  };
  collect('shell');
  collect(pages[page]);
  const paths = [...files].map((file) => built + file);
  return {
    scripts: paths.filter((path) => path.endsWith('.js')),
    styles: paths.filter((path) => path.endsWith('.css')),
  };
}

function bareName(source: string): string {
  return source.replace(/^.*\/|\.tsx$/g, '');
}
