import { expect } from 'vitest';
import type { RequestRecord } from '../../standins/service/request.ts';
import type { SlackStandin } from '../../standins/slack/server.ts';
import type { Person } from '../support/person.ts';
import { follow } from '../support/served.ts';

export interface ChatLifecycle {
  url: string;
  chat: SlackStandin;
  person: Person;
  generation: 'granular' | 'classic';
}

export interface Card {
  id: string;
  slackBotToken: string;
}

export const workspace = { id: 'T07ATELIER', name: 'Atelier & Fils' };

/**
 * In pages of three, the first one and one in the middle are wholly filtered away, others are short,
 * and ids of private channels start with C too.
 */
export const channels = [
  { id: 'C0ARCHIVE1', name: 'vieux-projet', isArchived: true },
  { id: 'C0SECRET01', name: 'direction', isPrivate: true },
  { id: 'C0ARCHIVE2', name: 'noel-2019', isArchived: true },
  { id: 'C0PUBLIC00', name: 'zoé-et-les-autres' },
  { id: 'C0PUBLIC01', name: 'général', isGeneral: true },
  { id: 'C0PUBLIC02', name: 'compta', isMember: true },
  { id: 'C0SUMMER00', name: 'été-2020', isArchived: true },
  { id: 'C0SUMMER01', name: 'été-2021', isArchived: true },
  { id: 'C0SUMMER02', name: 'été-2022', isArchived: true },
  { id: 'C0SECRET02', name: 'associés', isPrivate: true },
  { id: 'C0PRIVATE1', name: 'banque', isPrivate: true, isMember: true },
  { id: 'G0PRIVATE2', name: 'équipe', isPrivate: true, isMember: true },
  { id: 'C0ARCHIVE3', name: 'ancien', isArchived: true },
  { id: 'C0EXTERN01', name: 'clients', isExternal: true },
  { id: 'C0BARE0001', name: 'etc' },
];

/** Through the consent page: where the browser is sent back to, and the page that it comes from. */
export async function consent(
  { url, person, chat, generation }: ChatLifecycle,
  { decision = 'autoriser', team = workspace.id } = {},
): Promise<{ back: string; page: URL }> {
  const { status, body } = await person.get('/messengers/slack/connect');
  expect(status).toBe(200);
  const page = new URL(body.redirect_url);
  expect(page.origin).toBe(chat.url);
  expect(page.pathname).toBe(generation === 'classic' ? '/oauth/authorize' : '/oauth/v2/authorize');
  expect(page.searchParams.get('redirect_uri')).toBe(`${url}/api/messengers/slack/callback`);
  expect((await fetch(page)).status).toBe(200);
  const form = new URLSearchParams({ decision, espace: team });
  const answer = await fetch(page, { method: 'POST', body: form, redirect: 'manual' });
  return { back: answer.headers.get('location') ?? '', page };
}

export async function handleFrom(back: string, url: string): Promise<string> {
  const { next } = await follow(back);
  const home = new URL(next ?? '');
  expect(home.origin + home.pathname).toBe(`${url}/`);
  const handle = home.searchParams.get('token') ?? '';
  expect(handle).toMatch(/^tirelire-slack-[\w-]{43}$/);
  return handle;
}

export function calls({ control }: SlackStandin, method: string): number {
  return control.requests().filter(({ path }) => path === `/api/${method}`).length;
}

export function fieldsOf(asked: RequestRecord | undefined): Record<string, unknown> {
  if (asked?.headers['content-type']?.includes('json')) return JSON.parse(asked.text);
  return Object.fromEntries(new URLSearchParams(asked?.text));
}

/** Of every message that was tried. */
export function tokensOf({ control }: SlackStandin): string[] {
  const posts = control.requests().filter(({ path }) => path === '/api/chat.postMessage');
  return posts.map(({ headers }) => headers.authorization?.replace('Bearer ', '') ?? '');
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
