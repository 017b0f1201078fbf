import type { ServerResponse } from 'node:http';
import { redirect, sendPage } from '../answers.ts';
import { findBank } from '../banks.ts';
import { header, type Request } from '../request.ts';
import type { Standin } from '../server.ts';
import { accountsOf, type Session } from '../state.ts';
import { advance } from './flow.ts';
import { lostPage, pageOf } from './pages.ts';

const sessionLifeMs = 60 * 60_000;

/** `/session/<id>`: GET shows the step, POST takes it further and redirects. */
export function answerConnect(
  standin: Standin,
  request: Request,
  response: ServerResponse,
): ServerResponse {
  const id = /^\/session\/([0-9a-f-]{36})$/.exec(request.path)?.[1];
  const session = id ? findSession(standin, id) : null;
  if (!session) return sendPage(response, 404, lostPage());
  if (request.method === 'GET') return show(standin, session, response);
  if (request.method !== 'POST' || !isOwnForm(request)) {
    return sendPage(response, 403, lostPage());
  }
  const form = new URLSearchParams(request.text);
  const leaving = session.step === 'done' ? null : advance(standin, session, form);
  standin.store.changed();
  return redirect(response, leaving ?? request.path);
}

function show(standin: Standin, session: Session, response: ServerResponse): ServerResponse {
  const accounts = session.itemId === null ? [] : accountsOf(standin.store.state, session.itemId);
  return sendPage(response, 200, pageOf({ session, bank: findBank(session.providerId), accounts }));
}

function findSession({ store, options }: Standin, id: string): Session | null {
  const session = Object.hasOwn(store.state.sessions, id) ? store.state.sessions[id] : undefined;
  if (!session) return null;
  const age = options.clock.now().getTime() - new Date(session.createdAt).getTime();
  return age <= sessionLifeMs ? session : null;
}

/** Browsers say where a form was sent from; other programs, which carry no session, do not. */
function isOwnForm(request: Request): boolean {
  const site = header(request, 'sec-fetch-site');
  const isForm = header(request, 'content-type').startsWith('application/x-www-form-urlencoded');
  return isForm && (site === '' || site === 'same-origin');
}
