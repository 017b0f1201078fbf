import type { Values } from '../../platform/configuration/variables.ts';
import type { ConfiguredProvider, ProviderDefinition } from '../definition.ts';
import type { BankSource, BankSourceDeps } from './port.ts';

/** A bank source as its folder declares it to the registry. */
export interface BankSourceDefinition<Kind extends string>
  extends Omit<ProviderDefinition<Kind, BankSource, BankSourceDeps>, 'configure'> {
  /**
   * How long at most an access of a person goes on at the source once their credentials are forgotten
   * here, unless it is ended with them. Left out: not at all.
   */
  longestAccessMs?: number;
  /** Null while the credentials of the installation are missing. */
  configure(values: Values): ConfiguredBankSource | null;
}

/** A bank source with the values of its variables, before it is opened. */
export interface ConfiguredBankSource
  extends ConfiguredProvider<string, BankSource, BankSourceDeps> {
  /** How often the source may be called; null when it sets no limit. */
  quota: CallQuota | null;
}

/** The most calls that all processes of this installation make together. */
export interface CallQuota {
  /** For all users: `burst` calls at once after a pause, then one every `stepMs`. */
  application: { burst: number; stepMs: number };
  /**
   * For one user, in any period of `spanMs`: at most `act` calls. A reading is made only below
   * `reading` calls, so that the difference stays free for what the person does.
   */
  perUser: { act: number; reading: number; spanMs: number };
}
