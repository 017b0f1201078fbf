import type { ServerResponse } from 'node:http';
import { sendJson } from './answers.ts';
import type { Control } from './control.ts';
import type { Fault } from './faults.ts';
import type { ListEnd } from './lists.ts';
import { jsonOf, type Request } from './request.ts';

type Body = Record<string, unknown>;

/** `POST /_control/<name>` with the arguments of `Control`, by name, as JSON. */
export async function answerControl(
  control: Control,
  request: Request,
  response: ServerResponse,
): Promise<ServerResponse> {
  const body = jsonOf(request);
  const route = routes[request.path.slice('/_control/'.length)];
  // A page of another site can post a form, never JSON with this type.
  const isJson = request.headers['content-type']?.startsWith('application/json') ?? false;
  if (request.method !== 'POST' || !route || !body || !isJson) {
    return sendJson(response, 404, { error: 'POST JSON to a control that exists' });
  }
  try {
    return sendJson(response, 200, { result: (await route(control, body)) ?? null });
  } catch (error) {
    return sendJson(response, 400, { error: (error as Error).message });
  }
}

const routes: Record<string, (control: Control, body: Body) => unknown> = {
  link: (control, body) => control.link(body as Parameters<Control['link']>[0]),
  repair: (control, { itemId, login }) => control.repair(Number(itemId), String(login)),
  setItem: (control, { itemId, change }) => control.setItem(Number(itemId), change as Body),
  setAccount: (control, { accountId, fields }) =>
    control.setAccount(Number(accountId), fields as Body),
  addNastyRows: (control, { itemId }) => control.addNastyRows(Number(itemId)),
  items: (control, { externalUserId }) => control.items(String(externalUserId)),
  forgetUser: (control, { externalUserId }) => control.forgetUser(String(externalUserId)),
  expireTokens: (control) => control.expireTokens(),
  setWebhook: (control, { webhook }) =>
    control.setWebhook(webhook as Parameters<Control['setWebhook']>[0]),
  setLists: (control, body) => control.setLists(body as { end?: ListEnd; maxPage?: number }),
  addFault: (control, body) => control.addFault(body as unknown as Fault),
  clearFaults: (control) => control.clearFaults(),
  requests: (control) => control.requests(),
  clearRequests: (control) => control.clearRequests(),
};
