import type { Values, VariableSchemas } from '../platform/configuration/variables.ts';

/**
 * What the folder of a bank source or of a chat hands to its registry. `Outside` is what a provider
 * of that sort is opened with.
 */
export interface ProviderDefinition<Kind extends string, Provider, Outside> {
  kind: Kind;
  /** The environment variables that are its own, for `.env.example` and the check of their form. */
  variables: VariableSchemas;
  /**
   * The two that together open the service: both are given, or neither. Null for a service that needs
   * nothing of the installation, such as one that each person opens.
   */
  credentials: readonly [id: string, secret: string] | null;
  /** Null without credentials: the demonstration then plays the service. */
  configure(values: Values): ConfiguredProvider<Kind, Provider, Outside> | null;
}

/** A provider whose variables were read. Nothing is opened yet. */
export interface ConfiguredProvider<Kind extends string, Provider, Outside> {
  kind: Kind;
  /** As the service writes its name. */
  name: string;
  /** Base address of its API. */
  apiUrl: string;
  /** The service itself, and no stand-in of it. */
  isReal: boolean;
  /** The variables that open the service; none where each person's own credentials do. */
  credentials: readonly string[];
  /** What its variables said; only its own folder knows their shape. */
  settings: object;
  /** Optional variables that are not set and will be missed: for the operator. */
  warnings: ConfigurationWarning[];
  open(outside: Outside): Provider;
}

/** French sentences. */
export interface ConfigurationWarning {
  variable: string;
  words: string;
  mend: string;
}
