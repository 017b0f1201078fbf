import type { Faults } from '../service/faults.ts';
import type { Request, RequestRecord } from '../service/request.ts';
import type { Answer } from '../service/responses.ts';
import type { Variations } from '../service/variations.ts';
import type { Fault } from './faults.ts';
import type { Limits } from './limits.ts';
import type { CompleteOptions } from './options.ts';
import type { State } from './state.ts';
import type { Webhooks } from './webhooks.ts';

/** What the request handlers share. */
export interface Standin {
  options: CompleteOptions;
  state: State;
  changed(): void;
  limits: Limits | null;
  webhooks: Webhooks;
  faults: Faults<Fault>;
  lists: ListBehaviour;
  variations: Variations;
  requests: RequestRecord[];
  url(): string;
}

/** How the end of a list is told; `loop` and `foreign` are answers that no client may follow. */
type ListEnd = 'missing' | 'null' | 'string' | 'loop' | 'foreign';

export interface ListBehaviour {
  end: ListEnd;
  /** A page is never longer, whatever `limit` asks… */
  maxPage: number;
  /** …for this many pages. */
  shortPages: number;
}

/** A call of the application, which needs no user. */
export interface Call {
  standin: Standin;
  request: Request;
  /** The last part of the path, when it is an id. */
  id: string;
}

export interface UserCall extends Call {
  userUuid: string;
}

export type Route<Kind extends Call> = (call: Kind) => Answer;
