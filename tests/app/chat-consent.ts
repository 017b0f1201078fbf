import { expect } from 'vitest';
import type { Asked } from './listening.ts';
import { follow, type Person } from './person.ts';
import type { SlackPeer } from './slack-peer.ts';

export interface ChatLife {
  url: string;
  slack: SlackPeer;
  person: Person;
  generation: 'granular' | 'classic';
}

export interface Card {
  id: string;
  slackBotToken: string;
}

/** Through the consent page; gives the address that the browser is sent back to. */
export async function consent({ url, person, slack, generation }: ChatLife): Promise<string> {
  const { status, body } = await person.get('/messengers/slack/connect');
  expect(status).toBe(200);
  const page = new URL(String(body.redirect_url));
  expect(page.origin).toBe(slack.url);
  expect(page.pathname).toBe(generation === 'classic' ? '/oauth/authorize' : '/oauth/v2/authorize');
  expect(page.searchParams.get('redirect_uri')).toBe(`${url}/api/messengers/slack/callback`);
  const { next } = await follow(page.href);
  return next ?? '';
}

export async function handleFrom(back: string, url: string): Promise<string> {
  const { next } = await follow(back);
  const home = new URL(next ?? '');
  expect(home.origin + home.pathname).toBe(`${url}/`);
  const handle = home.searchParams.get('token') ?? '';
  expect(handle).toMatch(/^tirelire-slack-[\w-]{43}$/);
  return handle;
}

export function calls({ asked }: SlackPeer, method: string): number {
  return asked.filter(({ path }) => path === `/api/${method}`).length;
}

export function fieldsOf(asked: Asked | undefined): Record<string, unknown> {
  if (asked?.headers['content-type']?.includes('json')) return JSON.parse(asked.body);
  return Object.fromEntries(new URLSearchParams(asked?.body));
}

export const expectedChannels = [
  channel('C0PRIVATE1', 'banque', { isPrivate: true }),
  channel('C0EXTERN01', 'clients', { isExternal: true }),
  channel('C0PUBLIC02', 'compta'),
  channel('G0PRIVATE2', 'équipe', { isPrivate: true }),
  channel('C0BARE0001', 'etc'),
  channel('C0PUBLIC01', 'général'),
  channel('C0PUBLIC00', 'zoé-et-les-autres'),
];

function channel(id: string, name: string, more: object = {}) {
  return { id, name, isPrivate: false, isExternal: false, ...more };
}
