import { expect, test } from 'vitest';
import { configuredTeams } from '../../../../src/server/providers/chats/teams/definition.ts';

const openTeams = (hosts: string[] = []) =>
  configuredTeams({ hosts }).open({
    openGuardedClient: (rules: { isOwnHost?(host: string): boolean }) => ({
      allows: (url: URL) => rules.isOwnHost?.(url.hostname) ?? false,
    }),
  } as never);

/** The secret that is kept of an address, or why it is refused. */
async function link(address: string, hosts?: string[]): Promise<string> {
  const [linking] = openTeams(hosts).linkings;
  if (linking?.way !== 'address') throw new Error('no form');
  return await linking.link({ address, label: 'Trésorerie' }).then(
    ({ secret }) => secret,
    (error: { kind: string; code: string }) => `${error.kind} ${error.code}`,
  );
}

const id = '0123456789abcdef0123456789abcdef';
const path = `/workflows/${id}/triggers/manual/paths/invoke`;
const query = '?api-version=1&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=a_-b';
const today = 'https://default0.1a.environment.api.powerplatform.com';

test('an address of a workflow is kept as it is, without its usual port', async () => {
  const direct = `/powerautomate/automations/direct${path}${query}`;
  expect(await link(`${today}:443${direct}`)).toBe(today + direct);
  const routed = `/powerautomate/automations/direct/cu/12${path}/${query}`;
  expect(await link(today + routed)).toBe(today + routed);
  const older = `https://prod-01.westeurope.logic.azure.com${path}${query}`;
  expect(await link(older)).toBe(older);
});

test.each([
  ['https://exemple.webhook.office.com/webhookb2/abc/IncomingWebhook/def/ghi', 'address retired'],
  ['https://outlook.office.com/webhook/abc', 'address retired'],
  ['https://outlook.office365.com/webhook/abc', 'address retired'],
  [`https://exemple.fr${path}${query}`, 'refused-host not_allowed'],
  [`https://xpowerplatform.com${path}${query}`, 'refused-host not_allowed'],
  [`https://api.powerplatform.com.exemple.fr${path}${query}`, 'refused-host not_allowed'],
  [`${today}/elsewhere${query}`, 'address no_workflow'],
  [`${today}${path}`, 'address no_workflow'],
  [`${today}${path}${query}&to=https://exemple.fr`, 'address no_workflow'],
  [`${today}${path}${query}#a`, 'address no_workflow'],
])('%s: %s', async (address, end) => {
  expect(await link(address)).toBe(end);
});

test('an address may also be on a host that the operator adds, and on no other', async () => {
  const hosts = ['.flux.exemple.fr', 'flux.exemple.org'];
  const addressOn = (host: string) => `https://${host}${path}${query}`;
  for (const host of ['fr-01.flux.exemple.fr', 'flux.exemple.org', new URL(today).host]) {
    expect(await link(addressOn(host), hosts)).toBe(addressOn(host));
  }
  for (const host of ['xflux.exemple.fr', 'a.flux.exemple.org', 'exemple.fr']) {
    expect(await link(addressOn(host), hosts)).toBe('refused-host not_allowed');
  }
});

test('an address that Microsoft retired is refused with what to do', () => {
  expect(openTeams().reasons.retired?.sentence).toMatch(/arrêté.*mai 2026.*créez un flux/);
});
