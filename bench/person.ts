/** Signs someone up, with a notification and two linked banks, and returns the session's token. */
export async function preparePerson(
  apiUrl: string,
  standins: { bankUrl: string; chatToken: string },
): Promise<string> {
  const email = 'banc@exemple.fr';
  const password = 'douze girafes vertes';
  const names = { firstname: 'Banc', lastname: 'Essai', cguValidated: true };
  const { id } = await post(`${apiUrl}/users`, { email, password, ...names });
  const { token } = await post(`${apiUrl}/accounts/login`, { email, password });
  const session = { authorization: `Bearer ${token}` };
  const messenger = await post(
    `${apiUrl}/messengers`,
    { slackBotToken: standins.chatToken },
    session,
  );
  const [channel] = await read<{ id: string }[]>(`${apiUrl}/messengers/slack/channels`, session);
  const settings = { slackChannel: channel?.id, message: 'Bonjour' };
  await send('PATCH', `${apiUrl}/messengers/${messenger.id}`, settings, session);
  // The request for the link to add a bank registers the person at the bank service.
  await read(`${apiUrl}/bridge/items/connect`, session);
  for (const providerId of [574, 574]) {
    await post(`${standins.bankUrl}/_control/link`, [{ externalUserId: id, providerId }]);
  }
  return String(token);
}

type Headers = Record<string, string>;

function post(url: string, body: unknown, headers: Headers = {}) {
  return send('POST', url, body, headers);
}

async function send(method: string, url: string, body: unknown, headers: Headers) {
  return (await answerOf(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })) as Record<string, unknown>;
}

async function read<T>(url: string, headers: Headers): Promise<T> {
  return (await answerOf(url, { headers })) as T;
}

async function answerOf(url: string, request: RequestInit): Promise<unknown> {
  const answer = await fetch(url, request);
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}
