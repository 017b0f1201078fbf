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
    // Says which files each page loads: the size budget and the benchmark read it.
    manifest: true,
  },
});

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
