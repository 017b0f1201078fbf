import { makeTemplate } from '../platform/database/empty-cluster.ts';

/** A step of the build: the empty database that a first start copies. */
await makeTemplate();
