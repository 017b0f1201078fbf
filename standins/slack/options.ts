import type { StandinOptions } from '../service/options.ts';

/** How a stand-in is started. Nothing here has a counterpart in the product's own configuration. */
export interface SlackStandinOptions extends StandinOptions {
  /** Addresses a browser may be sent back to, as prefixes. Default: any on this machine. */
  redirectPrefixes?: string[];
  /** Where signed events go; null (the default) sends none. */
  eventsUrl?: string | null;
  /** Where what people type behind `/solde` goes; null (the default) where there is no such command. */
  commandsUrl?: string | null;
  /** Waits before the second and third delivery of an event, in ms. */
  eventRetryDelaysMs?: number[];
  /** One message per second and channel, twenty lists per minute and team. Default off. */
  limits?: boolean;
  /** Answers alternate between the forms that Slack's documentation leaves open. Default off. */
  varied?: boolean;
  /** Constant time between an API request and its answer, in ms. Default 0. */
  latencyMs?: number;
  /**
   * For benchmarks: any token of the form `xoxb-<team>-…` is taken, its team and channels exist as
   * soon as they are named, and of a message only its row in the log is kept.
   */
  open?: boolean;
}

export type CompleteOptions = Required<SlackStandinOptions> & typeof credentials;

const credentials = {
  clientId: '1000000001.2000000002',
  clientSecret: 'demo-slack-client-secret',
  signingSecret: 'demo-slack-signing-secret',
};

export function completeOptions(options: SlackStandinOptions): CompleteOptions {
  return {
    ...credentials,
    port: 0,
    stateFile: null,
    redirectPrefixes: ['http://localhost', 'http://127.0.0.1', 'https://localhost'],
    eventsUrl: null,
    commandsUrl: null,
    eventRetryDelaysMs: [60_000, 300_000],
    limits: false,
    varied: false,
    latencyMs: 0,
    open: false,
    ...options,
  };
}
