import { bridge } from './bridge/definition.ts';

/** Every bank source there is. A new one is its folder and a line here. */
export const bankSources = [bridge] as const;
