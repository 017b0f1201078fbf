/** A refusal of a call that a test relies on. */
class Refused extends Error {}

/** One JSON call, as another program would make it; a refusal ends the test. */
export async function send<Answer>(
  method: string,
  url: string,
  { body, token, device }: { body?: unknown; token?: string; device?: string } = {},
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(device && { 'user-agent': device }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Refused(`${method} ${url}: ${response.status} ${text}`);
  return (text && JSON.parse(text)) as Answer;
}
