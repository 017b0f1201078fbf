import { beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../notifications/deliveries/fixture.ts';
import type { Person } from '../../../support/person.ts';
import { actAs, ana, app, linked, nextDelivery, setUpTelegram, standin } from './fixture.ts';

setUpTelegram();

describe('a group that became a supergroup', () => {
  let group = -4_200_000_000;
  let supergroup: number;
  beforeEach(() => {
    group -= 1;
    supergroup = -1_001_000_000_000 + group;
    standin.control.addGroup(group, 'Copropriété');
  });

  const botIn = (id: number) => standin.control.chats().find((chat) => chat.id === id)?.bot;

  async function deleteAccount(person: Person): Promise<void> {
    const currentPassword = person.details.password;
    const { body } = await person.post('/users/me/deletion', { currentPassword });
    await eventually(
      async () => (await app.visitor.get(`/accounts/deletions/${body.receipt}`)).body,
      ({ doneDate }) => doneDate !== null,
    );
    actAs(await app.signUp());
  }

  const moments = [
    ['before a message went there', async () => {}],
    [
      'after a message went there',
      async (id: string) => {
        expect(await nextDelivery(id)).toMatchObject({ outcome: 'delivered' });
      },
    ],
  ] as const;

  it.each(moments)('is left with the account, %s', async (_when, meanwhile) => {
    const { id } = await linked(group);
    standin.control.act(group, 'upgrade-unheard');
    await meanwhile(id);
    expect(botIn(supergroup)).toBe('member');
    await deleteAccount(ana);
    expect(botIn(supergroup)).toBe('out');
  });

  it.each(moments)('is not left while somebody else uses it, %s', async (_when, meanwhile) => {
    const { id } = await linked(group);
    standin.control.act(group, 'upgrade-unheard');
    await meanwhile(id);
    const first = ana;
    actAs(await app.signUp());
    const second = ana;
    await linked(supergroup);
    await deleteAccount(first);
    expect(botIn(supergroup)).toBe('member');
    await deleteAccount(second);
    expect(botIn(supergroup)).toBe('out');
  });

  it('is not left by the one who linked it later', async () => {
    const { id } = await linked(group);
    standin.control.act(group, 'upgrade-unheard');
    await nextDelivery(id);
    const first = ana;
    actAs(await app.signUp());
    await linked(supergroup);
    await deleteAccount(ana);
    expect(botIn(supergroup)).toBe('member');
    await deleteAccount(first);
  });

  it('is not left by the one who linked it later, before a message went there', async () => {
    await linked(group);
    standin.control.act(group, 'upgrade');
    const first = ana;
    actAs(await app.signUp());
    await linked(supergroup);
    await deleteAccount(ana);
    expect(botIn(supergroup)).toBe('member');
    await deleteAccount(first);
    expect(botIn(supergroup)).toBe('out');
  });

  it('is the same destination when it is linked again', async () => {
    const { id } = await linked(group);
    standin.control.act(group, 'upgrade-unheard');
    await nextDelivery(id);
    await linked(supergroup, { messengerId: id });
    const destinations = app.services.database.sql.selectFrom('destinations').select('channel_id');
    expect(await destinations.where('user_id', '=', ana.id).execute()).toEqual([
      { channel_id: String(supergroup) },
    ]);
  });
});
