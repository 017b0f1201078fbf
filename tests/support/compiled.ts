import { fileURLToPath } from 'node:url';

const folder = new URL('../../node_modules/.cache/tirelire/compiled', import.meta.url);

/** For the environment of a process: what another one compiled is not compiled again. */
export const compiled = { NODE_COMPILE_CACHE: fileURLToPath(folder) };
