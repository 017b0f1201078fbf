import type { createSlack } from '../../src/server/providers/chats/slack/adapter.ts';
import type { Application } from './application.ts';
import type { Answer, Person } from './person.ts';

/** A person lets the bot in through the consent page and comes back: the handle from `/?token=`. */
export async function authorizeSlack(
  app: Application,
  person: Person,
  team: string,
): Promise<string> {
  const { body } = await person.get('/messengers/slack/connect');
  const authorize = new URL(body.redirect_url);
  const state = authorize.searchParams.get('state') ?? '';
  const redirectUri = authorize.searchParams.get('redirect_uri') ?? '';
  const scope = authorize.searchParams.get('scope') ?? '';
  const code = app.chat.control.code({ team, scope, redirectUri });
  const query = new URLSearchParams({ code, state });
  const back = await app.visitor.get(`/messengers/slack/callback?${query}`);
  return new URL(back.headers.get('location') ?? '').searchParams.get('token') ?? '';
}

/** The same, and the notification that the web app then makes. */
export async function connectSlack(
  app: Application,
  person: Person,
  team: string,
): Promise<Answer['body']> {
  const slackBotToken = await authorizeSlack(app, person, team);
  const { body } = await person.post('/messengers', { slackBotToken });
  return body;
}

/** Whether the bot is in that workspace, as the chat sees it. */
export function isInstalled(app: Application, team: string): boolean {
  return app.chat.control.teams().some(({ id, installed }) => id === team && installed);
}

/** The provider itself, for a test that comes between. */
export function slackOf({ services }: Application): ReturnType<typeof createSlack> {
  return services.chats.get('slack') as ReturnType<typeof createSlack>;
}
