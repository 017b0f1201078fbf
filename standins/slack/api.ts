import { setTimeout as wait } from 'node:timers/promises';
import { playFault } from '../service/faults.ts';
import { type Request, recordRequest } from '../service/request.ts';
import { type Answer, json } from '../service/responses.ts';
import { faultShapes, fits } from './faults.ts';
import { hasScope } from './installations.ts';
import { methods } from './methods/table.ts';
import { callOf, text } from './request.ts';
import { openTeam } from './seed/teams.ts';
import type { Context, Result, Standin } from './standin.ts';
import type { Team } from './state.ts';

/** One Web API call: faults first, then limits, the token, the scope, and the method itself. */
export function answerApi(standin: Standin, request: Request): Answer | Promise<Answer> {
  if (!standin.options.open) recordRequest(standin.requests, request);
  const call = callOf(request);
  const name = call.path.slice('/api/'.length);
  const team = teamOf(standin, call.token);
  const channel = text(call.args, 'channel') || null;
  const point = { method: name, team: team?.id ?? null, channel };
  const fault = standin.faults.take((one) => fits(one, point));
  const waitSeconds = team && standin.limits?.take(name, team.id, channel);
  if (waitSeconds) return faultShapes.tooMany(waitSeconds);
  const work = () => answerOf(standin, name, team, runMethod(name, team, { standin, call }));
  // The work is done on arrival and the answer held back, as a distant server would.
  const answer = fault ? playFault(fault, work, faultShapes) : work();
  return standin.latencyMs > 0 ? wait(standin.latencyMs).then(() => answer) : answer;
}

function teamOf({ state, options }: Standin, token: string | null): Team | null {
  if (!token) return null;
  return state.tokens.get(token) ?? (options.open ? openTeam(state, token) : null);
}

function runMethod(name: string, team: Team | null, context: Context): Result {
  const method = methods[name];
  const { token, bodyError } = context.call;
  if (!method) return { ok: false, error: 'unknown_method', req_method: name };
  if (bodyError) return { ok: false, error: bodyError };
  if (method.needs === 'nothing') return method.run(context);
  if (!token) return { ok: false, error: 'not_authed' };
  if (!team) return { ok: false, error: 'invalid_auth' };
  if (team.installation?.token !== token) return { ok: false, error: 'account_inactive' };
  const { scope } = team.installation;
  if (method.scopes.length > 0 && !method.scopes.some((needed) => hasScope(scope, needed))) {
    const needed = method.scopes.join(',');
    return { ok: false, error: 'missing_scope', needed, provided: scope };
  }
  return method.run({ ...context, team, scope, token });
}

function answerOf(standin: Standin, name: string, team: Team | null, result: Result): Answer {
  const method = methods[name];
  const { variations } = standin;
  const answer = json(200, result, {
    'content-type': variations.pick('charset', [
      'application/json; charset=utf-8',
      'application/json',
      'application/json;charset=UTF-8',
    ]),
    ...(team?.installation ? { 'x-oauth-scopes': team.installation.scope } : {}),
    ...(method?.needs === 'token' ? { 'x-accepted-oauth-scopes': method.scopes.join(',') } : {}),
  });
  const isEscaped = variations.pick('letters beyond ASCII', [false, true]);
  return isEscaped ? { ...answer, body: escapeLetters(answer.body) } : answer;
}

/** As JSON of PHP has them. */
function escapeLetters(text: string): string {
  return text.replace(
    /[\u0080-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
