import { bridge } from './bridge/definition.ts';
import { files } from './files/definition.ts';
import { manual } from './manual/definition.ts';
import { qonto } from './qonto/definition.ts';

/** Every bank source there is. A new one is its folder and a line here. */
export const bankSources = [bridge, qonto, files, manual] as const;
