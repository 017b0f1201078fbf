import { mediaType, type Request } from './request.ts';
import { type Answer, json } from './responses.ts';

/**
 * `POST /_control/<name>` with a JSON array of arguments: how other processes call the methods that
 * reach behind a stand-in. Answers `{ result }`, or 400 with the message of what was thrown.
 */
export async function answerControl(control: object, request: Request): Promise<Answer> {
  const name = request.path.slice('/_control/'.length);
  const run: unknown = Object.entries(control).find(([known]) => known === name)?.[1];
  // A page of another site can post a form, never JSON with this type.
  const isSafe = request.method === 'POST' && mediaType(request) === 'application/json';
  if (!isSafe || typeof run !== 'function') {
    return json(404, { error: 'POST a JSON array to a control that exists' });
  }
  try {
    return json(200, { result: (await run(...JSON.parse(request.text))) ?? null });
  } catch (error) {
    return json(400, { error: (error as Error).message });
  }
}
