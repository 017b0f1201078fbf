import { answerControl } from './control.ts';
import { createFaults, type Fault, type FaultShapes, faultControl, playFault } from './faults.ts';
import { type Request, type RequestRecord, recordRequest } from './request.ts';
import type { Answer } from './responses.ts';
import type { SavedState } from './saved-state.ts';
import { type HttpServer, startHttpServer } from './server.ts';

/** `path` is the start of the paths that it strikes; all without it. */
export type PathFault = Fault & { path?: string };

interface Api<Control extends object> {
  port: number;
  /** What other processes may call, `control` of `createFaultyApi` included. */
  control: Control;
  saved: SavedState;
  answer(request: Request): Answer;
  /** How the service words what goes wrong. */
  shapes: FaultShapes;
  /** A page for people, which is no call of the API; null for every other address. */
  pageOf?(request: Request): Answer | null;
}

/** An API that keeps what it is asked, and goes wrong on demand. */
export function createFaultyApi() {
  const faults = createFaults<PathFault>(null);
  const requests: RequestRecord[] = [];
  let server: HttpServer | null = null;
  return {
    control: faultControl(faults, requests, () => server?.breakStalled()),
    async start<Control extends object>(api: Api<Control>) {
      const { control, saved, answer, shapes, pageOf = () => null } = api;
      const started = await startHttpServer(api.port, (request) => {
        if (request.path.startsWith('/_control/')) return answerControl(control, request);
        const page = pageOf(request);
        if (page) return page;
        recordRequest(requests, request);
        const fault = faults.take(({ path = '' }) => request.path.startsWith(path));
        return fault ? playFault(fault, () => answer(request), shapes) : answer(request);
      });
      server = started;
      return {
        url: started.url,
        control,
        async close() {
          await started.close();
          await saved.close();
        },
      };
    },
  };
}
