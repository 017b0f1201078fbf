import { bridge } from './bridge/definition.ts';
import { qonto } from './qonto/definition.ts';

/** Every bank source there is. A new one is its folder and a line here. */
export const bankSources = [bridge, qonto] as const;
