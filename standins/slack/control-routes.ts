import type { ServerResponse } from 'node:http';
import { sendJson } from './answers.ts';
import type { Control } from './control.ts';
import type { Fault } from './faults.ts';
import { type Call, text } from './request.ts';
import type { Standin } from './server.ts';

type Route = (control: Control, call: Call, standin: Standin) => unknown;

/**
 * `/_control/…`, for other processes. Bodies are JSON, named as the arguments of `Control`.
 * GET messages?team=&channel= answers `{ messages: [[team, channel, receivedAt, client_msg_id, ts]] }`.
 */
export function answerControl(
  standin: Standin,
  call: Call,
  response: ServerResponse,
): ServerResponse {
  const route = routes[`${call.verb} ${call.path.slice('/_control/'.length)}`];
  if (!route) return sendJson(response, 404, { error: 'no such control' });
  try {
    const answer = route(standin.control, call, standin);
    if (!(answer instanceof Promise)) return sendJson(response, 200, answer ?? {});
    answer.then(
      (value: unknown) => sendJson(response, 200, value ?? {}),
      (error: Error) => sendJson(response, 400, { error: error.message }),
    );
    return response;
  } catch (error) {
    return sendJson(response, 400, { error: (error as Error).message });
  }
}

const routes: Record<string, Route> = {
  'GET messages': (control, { args }) => ({
    messages: control.log({
      ...(text(args, 'team') ? { team: text(args, 'team') } : {}),
      ...(text(args, 'channel') ? { channel: text(args, 'channel') } : {}),
    }),
  }),
  'DELETE messages': (control) => control.clearMessages(),
  'GET texts': (control, { args }) => ({
    messages: control.messages(text(args, 'team'), text(args, 'channel')),
  }),
  'GET faults': (_control, _call, standin) => ({ faults: standin.faults }),
  'POST faults': (control, { args }) => control.addFault({ ...args } as unknown as Fault),
  'DELETE faults': (control) => control.clearFaults(),
  'POST latency': (control, { args }) => control.setLatency(Number(args.ms)),
  'POST install': (control, { args }) => ({
    token: control.install(text(args, 'team'), text(args, 'scope') || 'bot'),
  }),
  'POST uninstall': (control, { args }) => control.uninstall(text(args, 'team')),
  'POST channel': (control, { args }) => {
    const { team: _team, channel: _channel, ...change } = args;
    return control.setChannel(text(args, 'team'), text(args, 'channel'), change);
  },
  'POST events': async (control, { args }) => ({
    status: await control.sendEvent(text(args, 'team'), { type: text(args, 'type') }),
  }),
  'GET teams': (_control, _call, standin) => ({
    teams: [...standin.state.teams.values()].map((team) => ({
      id: team.id,
      name: team.name,
      installed: team.installation !== null,
    })),
  }),
};
