import { systemClock } from '../../src/server/platform/clock.ts';
import { type Answered, type Asked, type Listening, listen } from './listening.ts';
import { listChannels, peerChannels, showChannel } from './slack-channels.ts';
import { authorize, exchange } from './slack-oauth.ts';
import { post } from './slack-posting.ts';
import {
  type Call,
  type Fields,
  holderOf,
  type Mishap,
  type PostedMessage,
  SlackRefusal,
  type SlackState,
} from './slack-state.ts';

export const slackCredentials = { clientId: '7007.7007', clientSecret: 'peer-slack-secret' };

export interface SlackPeer extends Listening {
  posted: PostedMessage[];
  /** The person at the consent page says no from now on, or yes again. */
  refuse(refuses: boolean): void;
  /** The bot is removed from the workspace: every token of it is dead. */
  uninstall(): void;
  /** Takes a scope away from every token. */
  withdraw(scope: string): void;
  /** How the next call of `method` ends. */
  mishap(method: string, mishap: Mishap): void;
  /** The workspace of the next consent. */
  enter(team: { id: string; name: string }): void;
}

/** Slack's Web API and OAuth from their documentation alone (docs.slack.dev), with other habits. */
export async function startSlackPeer(options: {
  redirectUrl: string;
  generation?: 'granular' | 'classic';
  now?: () => Date;
}): Promise<SlackPeer> {
  const now = options.now ?? systemClock.now;
  const state: SlackState = {
    app: { id: 'A07PEER00', generation: options.generation ?? 'granular', ...slackCredentials },
    redirectUrl: options.redirectUrl,
    team: { id: 'T07ATELIER', name: 'Atelier & Fils' },
    channels: peerChannels,
    now: () => now().getTime(),
    codes: new Map(),
    tokens: new Map(),
    posted: [],
    mishaps: new Map(),
    answers: 0,
  };
  let refuses = false;
  const listening = await listen((asked) =>
    asked.path.startsWith('/api/') ? answer(state, asked) : authorize(state, asked, refuses),
  );
  return {
    ...listening,
    posted: state.posted,
    refuse: (next) => {
      refuses = next;
    },
    uninstall() {
      for (const token of state.tokens.values()) token.revoked = true;
    },
    withdraw(scope) {
      for (const token of state.tokens.values()) {
        token.scopes = token.scopes.filter((one) => one !== scope);
      }
    },
    mishap: (method, mishap) =>
      void state.mishaps.set(method, [...(state.mishaps.get(method) ?? []), mishap]),
    enter: (team) => {
      state.team = team;
    },
  };
}

function answer(state: SlackState, asked: Asked): Answered {
  state.answers += 1;
  const method = asked.path.slice('/api/'.length);
  const mishap = state.mishaps.get(method)?.shift();
  if (typeof mishap === 'object' && 'with' in mishap) return mishap.with;
  try {
    const call = understand(asked, method);
    if (typeof mishap === 'object') throw new SlackRefusal(mishap.error, mishap.more);
    const done = methods[method]?.(state, call);
    if (!done) throw new SlackRefusal('unknown_method', { req_method: method });
    const scopes = state.tokens.get(call.token ?? '')?.scopes ?? [];
    const answered = spoken(state, { ok: true, ...done }, scopes);
    return mishap === 'cut after the work' ? { ...answered, cut: true } : answered;
  } catch (error) {
    if (error instanceof SlackRefusal) {
      return spoken(state, { ok: false, error: error.code, ...error.more }, []);
    }
    throw error;
  }
}

/** Always 200; the charset is told in three ways, and sometimes every accent is escaped. */
function spoken(state: SlackState, body: Fields, scopes: string[]): Answered {
  const json = JSON.stringify(body);
  const types = [
    'application/json; charset=utf-8',
    'application/json',
    'application/json;charset=UTF-8',
  ];
  return {
    status: 200,
    headers: {
      'content-type': types[state.answers % types.length] ?? '',
      'x-oauth-scopes': scopes.join(','),
      'x-slack-req-id': String(state.answers),
    },
    body: state.answers % 2 ? json : json.replace(/[\u0080-\uffff]/g, escaped),
  };
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A token in the query is not a token, and JSON needs its own header for it. */
function understand(asked: Asked, method: string): Call {
  const query = Object.fromEntries(asked.query);
  delete query.token;
  const type = asked.headers['content-type']?.split(';')[0];
  const fields: Fields = { ...query, ...bodyOf(asked, type) };
  const bearer = /^Bearer (\S+)$/.exec(asked.headers.authorization ?? '')?.[1];
  const formToken = type === 'application/json' ? undefined : fields.token;
  const token = bearer ?? (typeof formToken === 'string' ? formToken : undefined);
  return { asked, method, fields, token };
}

function bodyOf(asked: Asked, type: string | undefined): Fields {
  if (asked.method === 'GET' || asked.body === '') return {};
  if (!type) throw new SlackRefusal('missing_post_type');
  if (type === 'application/x-www-form-urlencoded') {
    return Object.fromEntries(new URLSearchParams(asked.body));
  }
  if (type !== 'application/json') throw new SlackRefusal('invalid_post_type');
  try {
    const parsed: unknown = JSON.parse(asked.body);
    if (parsed && typeof parsed === 'object') return parsed as Fields;
  } catch {
    throw new SlackRefusal('invalid_json');
  }
  throw new SlackRefusal('json_not_object');
}

const methods: Record<string, (state: SlackState, call: Call) => Fields> = {
  'oauth.access': exchange,
  'oauth.v2.access': exchange,
  'conversations.list': listChannels,
  'conversations.info': showChannel,
  'chat.postMessage': post,
  'auth.test': (state, call) => {
    const { team } = holderOf(state, call, null);
    return {
      url: 'https://atelier.slack.example/',
      team: team.name,
      team_id: team.id,
      user: 'robot',
      user_id: 'U07ROBOT',
      bot_id: 'B07ROBOT0',
      is_enterprise_install: false,
      app_name: 'Peer',
    };
  },
  'auth.revoke': (state, call) => {
    const holder = holderOf(state, call, null);
    if (!['1', 'true'].includes(String(call.fields.test))) holder.revoked = true;
    return { revoked: true };
  },
  'team.info': (state, call) => {
    const { team } = holderOf(state, call, 'team:read');
    return { team: { ...team, domain: 'atelier', icon: { image_default: true } } };
  },
};
