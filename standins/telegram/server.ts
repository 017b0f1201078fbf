import { answerControl } from '../service/control.ts';
import { createFaults, type FaultShapes, playFault } from '../service/faults.ts';
import type { StandinOptions } from '../service/options.ts';
import {
  fieldsOf,
  isFromOwnPage,
  type Request,
  type RequestRecord,
  readJson,
  recordRequest,
} from '../service/request.ts';
import type { Answer } from '../service/responses.ts';
import { page, redirect } from '../service/responses.ts';
import { readSaved, saveState } from '../service/saved-state.ts';
import { startHttpServer } from '../service/server.ts';
import { type Control, createControl } from './control.ts';
import { type BotContext, done, refusal, runMethod } from './methods.ts';
import { chatPage, startPage } from './pages.ts';
import { firstState, type State, type TelegramFault, type Update } from './state.ts';

export interface TelegramStandin {
  /** Without a trailing slash: the base of the Bot API, of links, and the page for people. */
  url: string;
  bot: string;
  token: string;
  control: Control;
  close(): Promise<void>;
}

const bot = { id: 8_200_000_001, username: 'TirelireDemoBot' };
const token = `${bot.id}:AAdemonstration-demonstration-00001`;

/** Telegram's Bot API for one bot, with a person and two groups, on this machine alone. */
export async function startTelegramStandin({
  port = 0,
  clock,
  stateFile = null,
}: StandinOptions): Promise<TelegramStandin> {
  const state = (readSaved(stateFile) as State | null) ?? firstState();
  const saved = saveState(stateFile, () => state);
  const faults = createFaults<TelegramFault>(1);
  const requests: RequestRecord[] = [];
  const waiting = new Set<() => void>();
  const context: BotContext = {
    ...{
      state,
      bot,
      isRichKnown: true,
      conflicts: 0,
      now: () => clock.now(),
      changed: saved.changed,
    },
  };
  const wake = () => {
    for (const answer of [...waiting]) answer();
  };
  const control = createControl({
    context,
    faults,
    requests,
    wake,
    breakStalled: () => server.breakStalled(),
  });
  const server = await startHttpServer(port, (request): Answer | Promise<Answer> => {
    if (request.path.startsWith('/_control/')) return answerControl(control, request);
    if (request.path.startsWith('/bot')) return answerApi(request);
    return answerPage(request);
  });
  return {
    ...{ url: server.url, bot: bot.username, token, control },
    async close() {
      wake();
      await server.close();
      await saved.close();
    },
  };

  function answerApi(request: Request): Answer | Promise<Answer> {
    const [, key, method = ''] = request.path.split('/');
    if (key !== `bot${token}`)
      return refusal(
        key?.includes(':') ? 401 : 404,
        key?.includes(':') ? 'Unauthorized' : 'Not Found',
      );
    recordRequest(requests, request);
    const body = readJson(request);
    if ('fault' in body) return refusal(400, "Bad Request: can't parse JSON");
    const fault = faults.take((one) => fits(one, method, body.value));
    if (method === 'getUpdates' && !fault) return poll(body.value);
    const work = () => runMethod(context, method, body.value);
    return fault ? playFault(fault, work, faultShapes) : work();
  }

  /** Asked again with a higher offset, what was given is forgotten; one asker at a time. */
  async function poll({ offset, timeout, limit }: Record<string, unknown>): Promise<Answer> {
    if (state.webhookUrl !== '') {
      return refusal(409, "Conflict: can't use getUpdates method while webhook is active");
    }
    if (waiting.size > 0) {
      context.conflicts += 1;
      wake();
      return refusal(409, 'Conflict: terminated by other getUpdates request');
    }
    if (typeof offset === 'number') {
      state.updates = state.updates.filter(({ update_id: id }) => id >= offset);
      saved.changed();
    }
    if (state.updates.length === 0) {
      await new Promise<void>((resolve) => {
        const end = () => {
          waiting.delete(end);
          clearTimeout(timer);
          resolve();
        };
        const timer = setTimeout(end, Number(timeout ?? 0) * 1000);
        waiting.add(end);
      });
    }
    return done(state.updates.slice(0, Number(limit ?? 100)) satisfies Update[]);
  }

  function answerPage(request: Request): Answer {
    const [, folder = '', id] = request.path.split('/');
    const chat =
      folder === 'chats' ? state.chats.find((one) => String(one.id) === id) : state.chats[0];
    if (folder === bot.username)
      return page(200, startPage(state, request.query), { ownForms: true });
    if (!chat || !['', 'chats'].includes(folder)) return page(404, "Cette page n'existe pas.");
    if (request.method === 'POST') {
      if (!isFromOwnPage(request)) return page(403, 'Accès refusé.');
      const { action = '', code = '' } = fieldsOf(new URLSearchParams(request.text));
      if (action === 'start') control.start(chat.id, code);
      else control.act(chat.id, action);
      return redirect(`/chats/${chat.id}`);
    }
    return page(200, chatPage(state, chat), { ownForms: true });
  }
}

/** A fault strikes messages unless it names another method: the poll for events goes on. */
function fits(
  { method, chat }: TelegramFault,
  asked: string,
  { chat_id: id }: Record<string, unknown>,
): boolean {
  if (chat !== undefined && String(chat) !== String(id)) return false;
  return method === undefined ? asked.startsWith('send') : method === asked;
}

const faultShapes: FaultShapes = {
  error: (description = 'Bad Request', extra) =>
    refusal(Number(extra.status ?? 400), description, extra.parameters as object | undefined),
  tooMany: (seconds) =>
    seconds === null
      ? refusal(429, 'Too Many Requests')
      : refusal(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds }),
  failure: (status) => refusal(status, 'Internal Server Error'),
};
