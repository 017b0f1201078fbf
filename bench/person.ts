/** Signs someone up, with a notification and two linked banks, and returns the session's token. */
export async function preparePerson(
  apiUrl: string,
  outside: { bankUrl: string; chatToken: string },
): Promise<string> {
  const email = 'banc@exemple.fr';
  const password = 'douze girafes vertes';
  const names = { firstname: 'Banc', lastname: 'Essai', cguValidated: true };
  const { id } = await post(`${apiUrl}/users`, { email, password, ...names });
  const { token } = await post(`${apiUrl}/accounts/login`, { email, password });
  const session = { authorization: `Bearer ${token}` };
  await post(`${apiUrl}/messengers`, { slackBotToken: outside.chatToken }, session);
  // Asking for the add link is what registers the person at the bank service.
  await fetch(`${apiUrl}/bridge/items/connect`, { headers: session });
  for (const providerId of [574, 574]) {
    await post(`${outside.bankUrl}/_control/link`, { externalUserId: id, providerId });
  }
  return String(token);
}

async function post(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Record<string, unknown>> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}
