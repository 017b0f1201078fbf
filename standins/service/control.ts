import { type Answer, json } from './answers.ts';
import { fieldsOf, mediaType, type Request, readJson } from './request.ts';

/** By method and name, as in `POST link`. The arguments come from the query and the JSON body. */
export type ControlRoutes = Record<string, (args: Record<string, unknown>) => unknown>;

/**
 * `/_control/<name>`: how other processes reach behind a stand-in. What a control throws is answered
 * 400 with its message.
 */
export async function answerControl(routes: ControlRoutes, request: Request): Promise<Answer> {
  const route = routes[`${request.method} ${request.path.slice('/_control/'.length)}`];
  const body = readJson(request);
  // A page of another site can post a form, never JSON with this type.
  const isSafe = request.method !== 'POST' || mediaType(request) === 'application/json';
  if (!route || !isSafe || 'fault' in body) {
    return json(404, { error: 'POST JSON to a control that exists' });
  }
  try {
    return json(200, (await route({ ...fieldsOf(request.query), ...body.value })) ?? {});
  } catch (error) {
    return json(400, { error: (error as Error).message });
  }
}
