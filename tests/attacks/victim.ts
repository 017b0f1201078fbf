import { accountIdOf, addCustomer, connectionIdOf } from '../banking/customer.ts';
import type { Application } from '../support/application.ts';
import type { Person } from '../support/person.ts';
import { connectSlack } from '../support/slack.ts';

/** A person with data of every kind, all of it recognizable. */
export interface Victim {
  person: Person;
  /** What would open something of hers if it opened for anybody who names it. */
  ids: string[];
  /** Texts that must not appear in an answer to another person. */
  marks: string[];
  /** All that the API says to her. */
  snapshot(): Promise<unknown>;
}

export async function addVictim(app: Application, team: string): Promise<Victim> {
  const { person, itemId, accounts } = await addCustomer(app);
  const mark = `marque-${person.id.slice(0, 8)}`;
  await person.patch('/users/me', { firstname: `Prénom ${mark}` });
  const messenger = await connectSlack(app, person, team);
  const handle: string = messenger.slackBotToken;
  const saved = await person.patch(`/messengers/${messenger.id}`, {
    message: `Message ${mark}`,
    slackChannel: `C0${team.at(2)}GENERAL0`,
  });
  if (saved.status !== 200) throw new Error(JSON.stringify(saved.body));
  await person.get('/bridge/items?fresh=1');
  const alerts = `/messengers/${messenger.id}/alerts`;
  const rule = { kind: 'below', account: null, currency_code: 'EUR', amount: 12.34 };
  const { body: alert } = await person.post(alerts, rule);
  const { body: sessions } = await person.get('/users/me/sessions');
  const ours = [
    await connectionIdOf(app, itemId),
    ...(await Promise.all(accounts.map((account) => accountIdOf(app, account)))),
  ];
  const bankIds = [itemId, ...accounts, ...ours].map(String);
  const ids = [messenger.id, alert.id, ...bankIds, sessions[0].id, person.id];
  return {
    person,
    ids: [...ids, handle, handle.replace('tirelire-slack-', '')],
    marks: [mark, person.id, person.details.email, messenger.id, alert.id, handle, person.token],
    snapshot: async () => [
      (await person.get('/users/me')).body,
      (await person.get('/users/me/sessions')).body,
      (await person.get('/bridge/items?fresh=1')).body,
      (await person.get('/bridge/accounts?stored=1')).body,
      (await person.get(`/messengers/${messenger.id}/deliveries`)).body,
      (await person.get(alerts)).body,
    ],
  };
}
