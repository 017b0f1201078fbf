import type { ConfiguredProvider } from '../definition.ts';
import { bridge } from './bridge/definition.ts';
import type { BankOutside, BankProvider } from './port.ts';

/** Every bank source there is. A new one is its folder and a line here. */
export const bankSources = [bridge] as const;

export type BankSourceKind = (typeof bankSources)[number]['kind'];

export type ConfiguredBankSource = ConfiguredProvider<BankSourceKind, BankProvider, BankOutside>;
