import { expect, test } from 'vitest';
import { readConfiguration } from '../../../src/server/providers/configuration.ts';
import { openFixture } from './source-fixture.ts';

const fixture = openFixture();
const credentials = {
  ...{ BRIDGE_CLIENT_ID: 'id', BRIDGE_CLIENT_SECRET: 'secret' },
  ...{ SLACK_CLIENT_ID: 'id', SLACK_CLIENT_SECRET: 'secret' },
};
const { bankSources } = readConfiguration(credentials, 'start', '/srv');

test.each(bankSources.map((configured) => [configured.kind, configured] as const))(
  'what %s asks for is checked by the browser as by the server, and said in one line',
  (_kind, configured) => {
    const { connect, note } = fixture.open(configured);
    expect(note).toMatch(/^.{8,70}$/);
    const form = connect.kind === 'redirect' ? connect.access : connect;
    const fields = form && 'fields' in form ? form.fields : [];
    // A browser ignores a pattern that it cannot read with this flag.
    for (const { pattern } of fields) expect(() => new RegExp(pattern, 'v')).not.toThrow();
  },
);
