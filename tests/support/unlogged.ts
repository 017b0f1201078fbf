import { createLog } from '../../src/server/platform/log.ts';
import { systemRandomness } from '../../src/server/platform/randomness.ts';

/** For a listener whose log no test reads. */
export const unlogged = { log: createLog('silent'), randomness: systemRandomness };
