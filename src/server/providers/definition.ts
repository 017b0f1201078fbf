import type { Values, VariableSchemas } from '../platform/configuration/variables.ts';

/** The variables of the installation that open a service: of two, both are given, or neither. */
export type CredentialVariables = readonly [token: string] | CredentialPair;

export type CredentialPair = readonly [id: string, secret: string];

/**
 * What the folder of a bank source or of a chat hands to its registry. `Deps` is what a provider
 * of that sort is opened with.
 */
export interface ProviderDefinition<Kind extends string, Provider, Deps> {
  kind: Kind;
  /** The environment variables that are its own, for `.env.example` and the check of their form. */
  variables: VariableSchemas;
  /** Null for a service that each person opens with credentials of their own. */
  credentials: CredentialVariables | null;
  /** Variables of the whole program without which it is not offered. */
  neededVariables?: CredentialPair;
  /** Those that open more of it where they are given. Half of them opens nothing, which is said. */
  optionalCredentials?: CredentialPair;
  /**
   * Null while the credentials of the installation are missing: the demonstration then plays the
   * service. One that asks for none is always configured.
   */
  configure(values: Values): ConfiguredProvider<Kind, Provider, Deps> | null;
}

/** A provider whose variables were read. Nothing is opened yet. */
export interface ConfiguredProvider<Kind extends string, Provider, Deps> {
  kind: Kind;
  /** As the service writes its name. */
  name: string;
  /** Base address of its API; null where each person names a server. */
  apiUrl: string | null;
  /** False when a stand-in of the service is called. */
  isReal: boolean;
  /** Those of the installation that open it here, optional ones too; null without any. */
  credentials: CredentialVariables | null;
  /** What a link must allow for people to ask for balances there; absent where they cannot. */
  commandScope?: string;
  /** What its variables said; only its own folder knows their shape. */
  settings: object;
  /** Optional variables that are not set and will be missed: for the operator. */
  warnings: ConfigurationWarning[];
  open(deps: Deps): Provider;
}

/** French sentences. */
export interface ConfigurationWarning {
  variable: string;
  words: string;
  remedy: string;
}
