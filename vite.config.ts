import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

export default defineConfig({
  root: 'src/web',
  base: '/',
  plugins: [react(), serviceWorker(), precompress()],
  resolve: {
    // React has it since version 18: what stands in for it in older ones is dead weight.
    alias: [{ find: /^use-sync-external-store\/shim.*/, replacement: 'react' }],
  },
  css: {
    // Each style sheet's name is its own, and words compress better than hashes.
    modules: { generateScopedName: (name, file) => `${basename(file, '.module.css')}-${name}` },
  },
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    // Every browser that knows light-dark(): the styles keep it as written.
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    modulePreload: {
      polyfill: false,
      // What every page has loaded already is not asked for again by its parts.
      resolveDependencies: (_file, dependencies, { hostType }) =>
        hostType === 'html'
          ? dependencies
          : dependencies.filter((name) => !/(shell|rolldown-runtime)-/.test(name)),
    },
    // Terser, then the bundler's own minifier: for the home page 0.6 kB less than the latter alone.
    minify: 'terser',
    terserOptions: {
      ecma: 2020,
      module: true,
      // No function expression here nor in the libraries is called with `new`: they may become arrows.
      compress: { passes: 3, keep_fargs: false, unsafe_arrows: true },
    },
    assetsInlineLimit: 0,
    sourcemap: false,
    // What / shares with its later parts stays in one file with it: it compresses better.
    rolldownOptions: {
      // Terser takes most of the time, which is known.
      checks: { pluginTimings: false },
      input: ['src/web/index.html', 'src/web/application/offline/worker.ts'],
      output: {
        minify: true,
        // Names of files are what compresses least in a script; six letters are refused for more than 64.
        // Of hexadecimal ones a name takes less, and still tells one build of a file from another.
        entryFileNames: ({ name }) => (name === 'worker' ? 'sw.js' : 'assets/[name]-[hash:7].js'),
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        hashCharacters: 'hex',
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: chunkOf, debugName: 'pages' }],
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

/**
 * The home page loads two files: what every page needs, and its own with the query library, which the other
 * pages of a session take from there. Its notifications, below the banks, are a third. More files would
 * each begin with an empty window of compression. Sign-in and sign-up share a third.
 */
function chunkOf(id: string, modules: Modules): string | null {
  const reachedFrom = (entry: string) => isReached(id, join(web, entry), modules);
  if (reachedFrom('main.tsx')) return 'shell';
  const authPages = ['session/LoginPage.tsx', 'session/SignupPage.tsx'].filter(reachedFrom);
  if (authPages.length > 0) {
    // The home page needs a little of what sign-in and sign-up share, and not their forms.
    if (reachedFrom('home/Home.tsx')) return 'shell';
    return authPages.length > 1 ? 'auth' : null;
  }
  // Fetched at the first touch of a page; of the query library, only the history of deliveries needs
  // the last.
  if (reachedFrom('design/toasts/Toaster.tsx') || reachedFrom('design/ConfirmationDialog.tsx'))
    return null;
  if (/infiniteQuery(Observer)?\.js$/i.test(id)) return null;
  if (!reachedFrom('home/Home.tsx'))
    return reachedFrom('notifications/Messengers.tsx') ? 'Messengers' : null;
  return reachedFrom('session/PasswordPage.tsx') ? 'shell' : 'Home';
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

/** Tells the service worker the files of this build, by which it also knows one build from another. */
function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const worker = bundle['sw.js'];
      if (worker?.type !== 'chunk') throw new Error('The build holds no service worker.');
      const files = Object.keys(bundle).filter((name) => name.startsWith('assets/'));
      const shell = {
        version: createHash('sha256').update(files.join()).digest('hex').slice(0, 12),
        files: files.map((name) => `/${name}`),
      };
      worker.code = worker.code.replaceAll('__SHELL__', JSON.stringify(shell));
    },
  };
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
