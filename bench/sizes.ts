import { readFileSync } from 'node:fs';
import { pageFiles, pagePaths } from './page-files.ts';
import type { Row } from './table.ts';

const limits: Record<string, number> = { '/login': 68, '/': 85 };

export async function measureSizes(): Promise<Row[]> {
  return pagePaths.map((page) => {
    const { scripts, styles } = pageFiles(page);
    const javascript = kibibytes(scripts);
    const limit = limits[page];
    return {
      page,
      'JavaScript KiB': javascript.toFixed(1),
      'of its limit': limit ? (javascript / limit).toFixed(2) : '–',
      'CSS KiB': kibibytes(styles).toFixed(1),
      files: scripts.length + styles.length,
    };
  });
}

/** The size of the compressed copies of the build, which are served. */
function kibibytes(paths: string[]): number {
  return paths.reduce((sum, path) => sum + readFileSync(`${path}.br`).length, 0) / 1024;
}
