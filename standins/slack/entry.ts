import type { StandinEntry } from '../service/entry.ts';
import { startSlackStandin } from './server.ts';

export const slackEntry: StandinEntry = {
  name: 'chat',
  kind: 'chats',
  async start({ port, clock, stateFile, publicUrl }) {
    const redirectPrefixes = [publicUrl];
    const standin = await startSlackStandin({ port, clock, stateFile, redirectPrefixes });
    return {
      variables: {
        SLACK_API_URL: standin.apiUrl,
        // The classic pair: the one that the scope `bot` belongs to.
        SLACK_AUTHORIZE_URL: standin.authorizeUrls.classic,
        SLACK_SCOPE: 'bot',
        SLACK_CLIENT_ID: standin.clientId,
        SLACK_CLIENT_SECRET: standin.clientSecret,
        SLACK_SIGNING_SECRET: standin.signingSecret,
      },
      page: { name: 'Slack', words: 'Les messages reçus', url: standin.url },
      section: null,
      chat: 'slack',
      scenarios: [
        {
          name: 'chat-down',
          label: 'La messagerie tombe en panne',
          notice:
            "Slack est en panne\u202f: Tirelire réessaiera d'envoyer le prochain message, et l'application dira où il en est. «\u202fTout rétablir\u202f» le laisse partir au prochain essai.",
          begin: () => {
            // It says that nothing was posted: after a 503 the message may be there, and is not tried for hours.
            const code = 'service_unavailable';
            standin.control.addFault({ kind: 'error', code, times: null });
            return true;
          },
        },
      ],
      recover: () => standin.control.clearFaults(),
      channelUrl: ({ team, channel }) => `${standin.url}/espaces/${team}/${channel}`,
      notify(apiUrl) {
        standin.control.setEventsUrl(`${apiUrl}/messengers/slack/events`);
        standin.control.setCommandsUrl(`${apiUrl}/messengers/slack/commands`);
      },
      close: standin.close,
    };
  },
};
