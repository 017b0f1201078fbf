import type { Faults } from '../service/faults.ts';
import type { RequestRecord } from '../service/request.ts';
import type { Variations } from '../service/variations.ts';
import type { Fault } from './faults.ts';
import type { Limits } from './limits.ts';
import type { CompleteOptions } from './options.ts';
import type { Call } from './request.ts';
import type { State, Team } from './state.ts';

/** What the request handlers share. */
export interface Standin {
  options: CompleteOptions;
  state: State;
  changed(): void;
  faults: Faults<Fault>;
  limits: Limits | null;
  latencyMs: number;
  /** A page of a list is never longer, whatever `limit` asks. */
  maxPage: number;
  variations: Variations;
  requests: RequestRecord[];
}

/** One call of the Web API or of the consent page. */
export interface Context {
  standin: Standin;
  call: Call;
}

/** A call with the token of an installed team; `scope` is what the token holds. */
export interface TeamContext extends Context {
  team: Team;
  scope: string;
  token: string;
}

/** The body of an answer, which Slack sends with status 200 whatever it says. */
export type Result = { ok: boolean } & Record<string, unknown>;

export type Method =
  | { needs: 'nothing'; run(context: Context): Result }
  | { needs: 'token'; scopes: string[]; run(context: TeamContext): Result };
