import { expect, test } from 'vitest';
import { credentialFaults, halfSetWarnings } from '../../src/server/providers/credentials.ts';

const bank = { credentials: ['BANK_ID', 'BANK_SECRET'] } as const;
const chat = { credentials: ['CHAT_ID', 'CHAT_SECRET'] } as const;
const other = { credentials: ['OTHER_ID', 'OTHER_SECRET'] } as const;
/** Each person opens it. */
const open = { credentials: null };

test('production needs all that is named', () => {
  const mail = { ...open, neededVariables: ['MAIL_SERVER', 'MAIL_SENDER'] } as const;
  const groups = [
    [bank, other],
    [chat, mail],
  ];
  const one = { OTHER_ID: 'x', OTHER_SECRET: 'y', CHAT_ID: 'x', CHAT_SECRET: 'y' };
  expect(credentialFaults(groups, groups.flat(), one, 'serve')).toEqual([
    expect.stringMatching(/^BANK_ID et BANK_SECRET manquent/),
    expect.stringMatching(/^MAIL_SERVER et MAIL_SENDER manquent/),
  ]);
  expect(credentialFaults(groups, [other, chat, open], one, 'serve')).toEqual([]);
});

test('one credential alone opens a service, and is asked for as such', () => {
  const single = { credentials: ['SINGLE_TOKEN'] } as const;
  expect(credentialFaults([[single]], [single], {}, 'serve')).toEqual([
    expect.stringMatching(/^SINGLE_TOKEN manque : /),
  ]);
  expect(credentialFaults([[chat, single]], [single], { SINGLE_TOKEN: 'x' }, 'serve')).toEqual([]);
  expect(credentialFaults([[bank], [single]], [], { SINGLE_TOKEN: 'x' }, 'start')).toEqual([
    expect.stringMatching(/^Il manque BANK_ID et BANK_SECRET : /),
  ]);
});

test('production asks for nothing of what is not named', () => {
  expect(
    credentialFaults(
      [
        [bank, open],
        [chat, open],
      ],
      [],
      {},
      'serve',
    ),
  ).toEqual([]);
});

test('the demonstration is not mixed with a real service unless that is asked for', () => {
  const groups = [[bank, open], [chat]];
  const mixed = { CHAT_ID: 'x', CHAT_SECRET: 'y' };
  expect(credentialFaults(groups, [], mixed, 'start')).toEqual([
    expect.stringMatching(/^Il manque BANK_ID et BANK_SECRET : /),
  ]);
  expect(credentialFaults(groups, [], { ...mixed, DEMO: '1' }, 'start')).toEqual([]);
  expect(credentialFaults(groups, [], mixed, 'command')).toEqual([]);
  expect(credentialFaults(groups, [], {}, 'start')).toEqual([]);
  // Of several that would do, one is missing.
  expect(
    credentialFaults([[bank], [chat, other]], [], { BANK_ID: 'x', BANK_SECRET: 'y' }, 'start'),
  ).toEqual([
    expect.stringMatching(/^Il manque CHAT_ID et CHAT_SECRET, ou OTHER_ID et OTHER_SECRET : /),
  ]);
});

test('what is given for a service that people open themselves is a real part too', () => {
  const more = { ...open, optionalCredentials: ['MORE_ID', 'MORE_SECRET'] } as const;
  const groups = [[bank], [chat, more]];
  for (const given of [{ MORE_ID: 'x' }, { MORE_ID: 'x', MORE_SECRET: 'y' }]) {
    expect(credentialFaults(groups, [], given, 'start')).toHaveLength(2);
    expect(credentialFaults(groups, [], { ...given, DEMO: '1' }, 'start')).toEqual([]);
  }
});

test('half of what would open more is said, and hinders nothing', () => {
  const more = { ...open, optionalCredentials: ['MORE_ID', 'MORE_SECRET'] } as const;
  expect(halfSetWarnings(more, { MORE_SECRET: 'y' })).toMatchObject([{ variable: 'MORE_ID' }]);
  expect(halfSetWarnings(more, { MORE_ID: 'x' })).toEqual([
    {
      variable: 'MORE_SECRET',
      words: "MORE_SECRET manque : MORE_ID seul ne suffit pas, et rien de plus n'est proposé.",
      remedy: 'Renseignez MORE_SECRET, ou retirez MORE_ID.',
    },
  ]);
  expect(halfSetWarnings(more, { MORE_ID: 'x', MORE_SECRET: 'y' })).toEqual([]);
  expect(halfSetWarnings(open, {})).toEqual([]);
});
