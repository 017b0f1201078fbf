import { describe, expect, it } from 'vitest';
import { ana, chat, openChat, post, setUpAdapter, standin } from './adapter-fixture.ts';

/** What the bot itself is asked, and how it leaves. */
setUpAdapter();

const another = '1234567890:AAautre-autre-autre-autre-autre-autre';

describe('the name of the bot, which its links carry', () => {
  const invite = async (from = chat) => {
    const linking = from.linkings.find(({ way }) => way === 'invitation');
    if (linking?.way !== 'invitation') throw new Error('no invitation');
    return await linking.invite('code');
  };
  const questions = () =>
    standin.control.requests().filter(({ path }) => path.endsWith('/getMe')).length;

  it('is asked for when it is first needed, once for all', async () => {
    await post(ana);
    expect(questions()).toBe(0);
    const link = `${standin.url}/${standin.bot}`;
    for (const links of await Promise.all([invite(), invite()])) {
      expect(links).toEqual({ url: `${link}?start=code`, groupUrl: `${link}?startgroup=code` });
    }
    await invite();
    expect(questions()).toBe(1);
  });

  it.each([
    ['is away', { kind: 'status', status: 502 }, 'unavailable'],
    ['hangs up', { kind: 'drop' }, 'unavailable'],
    ['answers a page', { kind: 'html' }, 'unavailable'],
    ['names none', { kind: 'status', status: 200, body: { ok: true, result: {} } }, 'unavailable'],
    [
      'names a path',
      { kind: 'status', status: 200, body: { ok: true, result: { username: '../a' } } },
      'unavailable',
    ],
    ['refuses the bot', { kind: 'error', code: 'Unauthorized', extra: { status: 401 } }, 'fault'],
  ] as const)('is asked for again after Telegram %s', async (_what, fault, kind) => {
    standin.control.addFault({ ...fault, method: 'getMe' });
    await expect(invite()).rejects.toMatchObject({ chat: 'telegram', kind });
    expect((await invite()).url).toContain(standin.bot);
  });
});

describe('the check of the operator', () => {
  it('names the bot, and finds a wrong token and events that go elsewhere', async () => {
    expect(await chat.check()).toEqual({
      ...{ end: 'accepted', words: `Le bot s'appelle @${standin.bot}.` },
    });
    expect(await openChat({ token: another }).check()).toEqual({
      ...{ end: 'refused', code: 'Unauthorized' },
    });
    standin.control.setWebhook('https://exemple.fr/');
    expect(await chat.check()).toEqual({ end: 'refused', code: 'webhook_set' });
    standin.control.setWebhook('');
    standin.control.addFault({ kind: 'status', status: 502, method: 'getMe' });
    expect(await chat.check()).toMatchObject({ end: 'unavailable' });
  });
});

describe('what is left', () => {
  it('is a group, and not the conversation of a person', async () => {
    await chat.revoke(String(ana));
    expect(standin.control.requests()).toEqual([]);
    await chat.revoke(String(-1_001_000_000_003));
    await chat.revoke('-99');
    const left = standin.control.requests().map(({ path }) => path.split('/').at(-1));
    expect(left).toEqual(['leaveChat', 'leaveChat']);
  });

  it('is tried again when Telegram is down', async () => {
    standin.control.addFault({ kind: 'status', status: 500, method: 'leaveChat' });
    await expect(chat.revoke('-99')).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
