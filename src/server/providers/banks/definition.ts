import type { Values } from '../../platform/configuration/variables.ts';
import type { ConfiguredProvider, ProviderDefinition } from '../definition.ts';
import type { BankOutside, BankSource } from './port.ts';

/** What the folder of a bank source hands to the registry. */
export interface BankSourceDefinition<Kind extends string>
  extends Omit<ProviderDefinition<Kind, BankSource, BankOutside>, 'configure'> {
  /** Null while the credentials of the installation are missing. */
  configure(values: Values): ConfiguredBankSource | null;
}

/** A bank source whose variables were read. Nothing is opened yet. */
export interface ConfiguredBankSource extends ConfiguredProvider<string, BankSource, BankOutside> {
  /** How often the source may be called; null when it sets no limit. */
  quota: CallQuota | null;
}

/** Limits of calls that all processes keep together. */
export interface CallQuota {
  /** `burst` calls at once, and one more every `stepMs`. */
  application: { burst: number; stepMs: number };
  /** In any `spanMs`, for one user of the source; readings leave the rest to acts. */
  perUser: { act: number; reading: number; spanMs: number };
}
