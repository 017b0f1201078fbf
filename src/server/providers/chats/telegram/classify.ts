import type { IncomingResponse } from '../../../platform/http-client/http-client.ts';
import { limited, permanent, readObject, refusedCode, resultOfStatus } from '../json-posting.ts';
import type { PostResult } from '../posting.ts';
import { type ApiRefusal, isOfProxy, refusalOf } from './client.ts';

export const tooMany = 'too_many_requests';

/** Whether the answer to a message says that it was posted, or what follows from it. */
export function classify(answer: IncomingResponse): PostResult {
  const refusal = refusalOf(answer);
  if (refusal) return endOf(refusal);
  const { message_id: id } = Object(readObject(answer.body)?.result);
  return Number.isSafeInteger(id)
    ? { end: 'posted', receipt: String(id), certainty: 'shown' }
    : { end: 'ambiguous', code: 'unreadable_answer' };
}

function endOf({ code, description, retryAfterSeconds, movedTo }: ApiRefusal): PostResult {
  if (code === 429) return limited('channel', retryAfterSeconds, tooMany);
  if (code === 200) return { end: 'ambiguous', code: 'unreadable_answer' };
  if (code < 400 || code >= 500 || code === 408 || isOfProxy(code, description)) {
    return resultOfStatus({ status: code, body: '' });
  }
  if (movedTo !== null) return { end: 'moved', channelId: movedTo };
  const [, end] = sentences.find(([pattern]) => pattern.test(description)) ?? [];
  if (end) return end;
  if (code === 403) return permanent('installation', 'bot_removed');
  return { end: 'fault', code: code === 401 || code === 404 ? 'bot_token' : refusedCode(code) };
}

const fault = (code: string): PostResult => ({ end: 'fault', code });

/**
 * By the sentence of the answer, which the server of the Bot API writes itself
 * (github.com/tdlib/telegram-bot-api, Client.cpp). Other programs branch by the same.
 */
const sentences: [RegExp, PostResult][] = [
  [/^Forbidden: bot was blocked by the user/, permanent('installation', 'bot_blocked')],
  [/^Forbidden: user is deactivated/, permanent('installation', 'user_gone')],
  [/^Forbidden: bot was kicked from the/, permanent('installation', 'bot_removed')],
  [/^Forbidden: bot is not a member of/, permanent('installation', 'bot_removed')],
  [/^Forbidden: the group chat was deleted/, permanent('installation', 'chat_gone')],
  [/^Forbidden: bot can't initiate conversation/, permanent('installation', 'bot_blocked')],
  [
    /^Bad Request: ((group )?chat (not found|(is|was) deactivated)|CHANNEL_PRIVATE|PEER_ID_INVALID)/,
    permanent('channel', 'chat_gone'),
  ],
  [
    /^Bad Request: .*(thread not found|TOPIC_(CLOSED|DELETED|ID_INVALID))/,
    permanent('channel', 'topic_gone'),
  ],
  [
    /^(Bad Request|Forbidden): .*(not enough|have no|need administrator) rights/,
    permanent('permission', 'no_rights'),
  ],
  [
    /^(Bad Request|Forbidden): CHAT_(WRITE_FORBIDDEN|SEND_PLAIN_FORBIDDEN|RESTRICTED|ADMIN_REQUIRED)/,
    permanent('permission', 'no_rights'),
  ],
  [/^Bad Request: can't parse/, fault('unparsable')],
  [/^Bad Request: .*message is too long/, fault('too_long')],
  [/^Bad Request: .*text is empty/, fault('empty_text')],
  [/^Not Found: method not found/, fault('method_not_found')],
];
