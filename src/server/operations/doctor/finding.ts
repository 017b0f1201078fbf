import type { NotificationsDeps } from '../../notifications/deps.ts';
import type { Clock } from '../../platform/clock.ts';
import type { HttpClient } from '../../platform/http-client/http-client.ts';
import type { AppConfiguration } from '../../providers/configuration.ts';

/** Everything that the doctor examines, handed in by its command. */
export interface DoctorDeps extends Pick<NotificationsDeps, 'bankSources' | 'chats'> {
  configuration: AppConfiguration;
  httpClient: HttpClient;
  clock: Clock;
  /** Runs the task `inspect`. Opening the database is part of it, so it may throw. */
  inspect(): AsyncIterable<string>;
}

/** The result of one check, in French. Warnings and faults come with a remedy. */
export interface Finding {
  level: 'well' | 'warning' | 'fault';
  about: string;
  words: string;
  /** What to do; absent when the level is `well`. */
  remedy?: string;
}

/** "1 valeur" or "3 valeurs", with the verb that follows them. */
export function pluralized(count: number, one: string, several: string): string {
  return `${count} ${count > 1 ? several : one}`;
}

export function well(about: string, words: string): Finding {
  return { level: 'well', about, words };
}

/** The program works, and the operator should know. */
export function warning(about: string, words: string, remedy: string): Finding {
  return { level: 'warning', about, words, remedy };
}

/** Something that users notice, or will. */
export function fault(about: string, words: string, remedy: string): Finding {
  return { level: 'fault', about, words, remedy };
}
