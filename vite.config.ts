import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

export default defineConfig({
  root: 'src/web',
  base: '/',
  publicDir: false,
  plugins: [react(), precompress()],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    // Every browser that knows light-dark(): the styles keep it as written.
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    sourcemap: false,
    // What / shares with its later parts stays in one file with it: it compresses better.
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: homeChunk, debugName: 'home' }],
        },
      },
    },
    // Says which files each page loads: the size budget and the benchmark read it.
    manifest: true,
  },
});

interface Modules {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

/** The home page's own modules: those it imports and no other page does. */
function homeChunk(id: string, modules: Modules): string | null {
  const others = [
    'main.tsx',
    'sessions/LoginPage.tsx',
    'users/SignupPage.tsx',
    'toasts/Toaster.tsx',
    'design/Confirmation.tsx',
  ];
  if (others.some((other) => isReached(id, join(web, other), modules))) return null;
  return isReached(id, join(web, 'home/Home.tsx'), modules) ? 'Home' : null;
}

const web = join(import.meta.dirname, 'src/web');
const reached = new Map<string, Set<string>>();

function isReached(id: string, entry: string, modules: Modules): boolean {
  let found = reached.get(entry);
  if (!found) {
    found = new Set([entry]);
    for (const one of found) {
      for (const imported of modules.getModuleInfo(one)?.importedIds ?? []) found.add(imported);
    }
    reached.set(entry, found);
  }
  return found.has(id);
}

/**
 * Writes a `.br` and a `.gz` file beside each text asset: no request pays for the compression. It
 * reads the files as written, because other plugins still change the bundle in generateBundle.
 */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const names = Object.keys(bundle).filter((name) => /\.(js|css|svg)$/.test(name));
      await Promise.all(
        names.map(async (name) => {
          const path = join(dir, name);
          const source = await readFile(path);
          await writeFile(`${path}.br`, compressed(source));
          await writeFile(`${path}.gz`, gzipSync(source));
        }),
      );
    },
  };
}

function compressed(source: Buffer): Buffer {
  return brotliCompressSync(source, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: source.length,
    },
  });
}
