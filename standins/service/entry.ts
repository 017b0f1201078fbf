/** How the demonstration starts a stand-in. Each stand-in's folder has one, in `entry.ts`. */
export interface StandinEntry {
  /** As a file name: where its state is kept, under the demonstration's folder. */
  name: string;
  /** It is started when the product has no real service of this kind. */
  kind: 'bankSources' | 'chats';
  start(given: StartOptions): Promise<RunningStandin>;
}

export interface StartOptions {
  /** 0 for a free one. */
  port: number;
  clock: { now(): Date };
  stateFile: string;
  /** Where people reach the product. */
  publicUrl: string;
}

export interface RunningStandin {
  /** What the product is given to speak to it in place of the real service. */
  variables: Record<string, string>;
  /** Where the addresses lead that people copy from it into the product. */
  origins?: string[];
  /** Its page for people, as the demonstration's page and the terminal name it. */
  page: { name: string; words: string; url: string } | null;
  /** HTML for the demonstration's page: how to use it. */
  section: string | null;
  /** What may happen to it, each by one press on the demonstration's page. */
  scenarios?: Scenario[];
  /** Ends what its scenarios began. */
  recover?(): void;
  /** The kind of chat that it plays. */
  chat?: string;
  /** Where on its own page a message can be read; its first page when left out. */
  channelUrl?(given: { team: string; channel: string }): string;
  /** From now on it sends its webhooks to the product; `apiUrl` ends in /api. */
  notify(apiUrl: string): void;
  close(): Promise<void>;
}

export interface Scenario {
  /** As an address writes it. */
  name: string;
  /** The button. */
  label: string;
  /** What has happened, and what the product makes of it. */
  notice: string;
  /** False where there is nothing yet that it could happen to. */
  begin(): boolean;
}
