import type { GuardedClient } from '../../../platform/http-client/guarded-client.ts';
import { withoutInstallationCredentials } from '../json-posting.ts';
import type { ChatProvider, ListedChannels } from '../port.ts';
import { botLinking, findChannel, listChannels, postAsBot } from './bot.ts';
import { botErrors, botName, botReasons, botWords } from './bot-words.ts';
import { capacity } from './markdown.ts';

/** The same servers through a bot account, which sees its channels and is remembered for a while. */
export function createMattermostBot(client: GuardedClient): ChatProvider & ListedChannels {
  return {
    ...{ name: botName, errors: botErrors, words: botWords, reasons: botReasons, capacity },
    linkings: [botLinking(client)],
    channels: 'listed',
    channelsPath: '/messengers/mattermostbot/channels',
    listChannels: (secret) => listChannels(client, secret),
    findChannel: (secret, id) => findChannel(client, secret, id),
    drawing: 'table',
    codes: { removed: 'token_dead', limited: 'limited' },
    // What `pending_post_id` is remembered for, less the time of the first answer's journey.
    repeat: { withinMs: 25_000 },
    pace: { channelGapMs: 1000, perTeam: 4, perSecond: null },
    ...withoutInstallationCredentials(
      'Chaque personne donne le jeton de son bot\u202f; rien à régler ici.',
    ),
    post: (secret, message) => postAsBot(client, secret, message),
  };
}
