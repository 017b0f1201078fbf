import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendJson } from './answers.ts';
import { type Fault, takeFault } from './faults.ts';
import { type Answer, type Context, type Method, methods } from './methods/table.ts';
import { openTeam } from './open.ts';
import { text } from './request.ts';
import { holds } from './scopes.ts';
import type { Standin } from './server.ts';
import type { Team } from './state.ts';

/** One Web API call: faults first, then limits, the token, the scope, and the method itself. */
export function answerApi(
  standin: Standin,
  context: Context,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const name = context.call.path.slice('/api/'.length);
  const team = teamOf(standin, context.call.token);
  const channel = text(context.call.args, 'channel') || null;
  const fault = takeFault(standin.faults, { method: name, team: team?.id ?? null, channel });
  const wait = team && standin.limits?.take(name, team.id, channel);
  if (wait) {
    tooMany(response, wait);
    return;
  }
  const work = (): Answer => runMethod(name, team, context);
  const send = (): void => {
    if (fault) misbehave(standin, fault, work, request, response);
    else sendAnswer(response, methods[name], team, work());
  };
  const delay = standin.latencyMs + (fault?.kind === 'delay' ? (fault.ms ?? 0) : 0);
  // The work is done on arrival and the answer held back, as a distant server would.
  if (delay === 0) send();
  else if (fault) setTimeout(send, delay);
  else {
    const answer = work();
    setTimeout(() => sendAnswer(response, methods[name], team, answer), delay);
  }
}

function teamOf(standin: Standin, token: string | null): Team | null {
  if (!token) return null;
  return (
    standin.state.tokens.get(token) ??
    (standin.options.open ? openTeam(standin.state, token) : null)
  );
}

function runMethod(name: string, team: Team | null, context: Context): Answer {
  const method = methods[name];
  if (!method) return { ok: false, error: 'unknown_method', req_method: name };
  if (context.call.bodyError) return { ok: false, error: context.call.bodyError };
  if (method.needs === 'nothing') return method.run(context);
  const { token } = context.call;
  if (!token) return { ok: false, error: 'not_authed' };
  if (!team) return { ok: false, error: 'invalid_auth' };
  if (team.installation?.token !== token) return { ok: false, error: 'account_inactive' };
  const { scope } = team.installation;
  if (method.scopes.length > 0 && !method.scopes.some((needed) => holds(scope, needed))) {
    const needed = method.scopes.join(',');
    return { ok: false, error: 'missing_scope', needed, provided: scope };
  }
  return method.run({ ...context, team, scope, token });
}

function sendAnswer(
  response: ServerResponse,
  method: Method | undefined,
  team: Team | null,
  answer: Answer,
): void {
  if (team?.installation) response.setHeader('x-oauth-scopes', team.installation.scope);
  if (method?.needs === 'token') {
    response.setHeader('x-accepted-oauth-scopes', method.scopes.join(','));
  }
  sendJson(response, 200, answer);
}

function tooMany(response: ServerResponse, seconds: number | null): void {
  if (seconds !== null) response.setHeader('retry-after', String(seconds));
  sendJson(response, 429, { ok: false, error: 'ratelimited' });
}

function misbehave(
  { stalled }: Standin,
  fault: Fault,
  work: () => Answer,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const answer = fault.posted || fault.kind === 'delay' ? work() : { ok: true };
  if (fault.kind === 'drop') request.socket.destroy();
  if (fault.kind === 'delay') sendJson(response, 200, answer);
  if (fault.kind === 'ratelimited') {
    tooMany(response, fault.retryAfter === undefined ? 1 : fault.retryAfter);
  }
  if (fault.kind === 'error') {
    sendJson(response, 200, { ok: false, error: fault.code ?? 'internal_error', ...fault.extra });
  }
  if (fault.kind === 'status') {
    response.writeHead(fault.status ?? 500, { 'content-type': 'text/plain' }).end('server error');
  }
  if (fault.kind === 'html') {
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end('<!doctype html><title>Slack</title><p>Maintenance</p>');
  }
  if (fault.kind === 'truncated') sendHalf(answer, response).end();
  if (fault.kind === 'stall') {
    stalled.add(sendHalf(answer, response));
    response.once('close', () => stalled.delete(response));
  }
}

/** What follows is an end that looks proper, or nothing more. */
function sendHalf(answer: Answer, response: ServerResponse): ServerResponse {
  const body = JSON.stringify(answer);
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
  response.write(body.slice(0, Math.ceil(body.length / 2)));
  return response;
}
