import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A line that names a provider outside the files that may: `file:line: text`. */
export type Mention = string;

interface Named {
  /** Looked for whatever its case. */
  name: string;
  /** Files that may name it: its folder, the registry, the migrations. */
  allowed: RegExp;
  /** Names of the API that the specification or the published contract froze. */
  frozen: RegExp;
}

/** Every provider whose name is no ordinary word: not email, files and manual. */
export const providers: readonly Named[] = [
  {
    name: 'Slack',
    // In the web app its words stand in notifications/chats/slack.
    allowed: /\/chats\/(slack\/|registry\.ts)|\/migrations\//,
    // Also the addresses of documentation that the notation of every message follows.
    frozen:
      /docs\.slack\.dev[\w/.-]*|slack(Channel|ChannelName|BotToken|TeamName)\b|Slack_[A-Z]\w*|\/messengers\/slack\b[\w/:.-]*|slack-(cancelled|failed|expired|organisation)/g,
  },
  {
    name: 'Mattermost',
    allowed: /\/chats\/(mattermost\/|registry\.ts)|\/migrations\//,
    frozen: /Mattermost(Bot)?_[A-Z]\w*/g,
  },
  {
    name: 'Discord',
    allowed: /\/chats\/(discord\/|registry\.ts)|\/migrations\//,
    frozen: /Discord_[A-Z]\w*|\/messengers\/discord\b[\w/:.-]*/g,
  },
  {
    name: 'Google',
    allowed: /\/chats\/(googlechat\/|registry\.ts)|\/migrations\//,
    frozen: /GoogleChat_[A-Z]\w*/g,
  },
  {
    name: 'Microsoft Teams',
    allowed: /\/chats\/(teams\/|registry\.ts)|\/migrations\//,
    frozen: /Teams_[A-Z]\w*/g,
  },
  {
    name: 'Telegram',
    allowed: /\/chats\/(telegram\/|registry\.ts)|\/migrations\//,
    frozen: /Telegram_[A-Z]\w*/g,
  },
  {
    name: 'Bridge',
    allowed: /providers\/banks\/(bridge\/|registry\.ts)|\/migrations\//,
    frozen: /\/bridge\/[\w/:.-]*/g,
  },
  {
    name: 'Qonto',
    allowed: /providers\/banks\/(qonto\/|registry\.ts)|\/migrations\//,
    frozen: /Qonto_[A-Z]\w*/g,
  },
  {
    name: 'Enable ?Banking',
    allowed: /providers\/banks\/(enablebanking\/|registry\.ts)|\/migrations\//,
    frozen: /EnableBanking_[A-Z]\w*/g,
  },
  {
    name: 'Ponto',
    allowed: /providers\/banks\/(ponto\/|registry\.ts)|\/migrations\//,
    frozen: /Ponto_[A-Z]\w*/g,
  },
];

/** How many lines of each half may name a provider elsewhere. */
export const maxMentions = { 'src/shared': 2, 'src/server': 10, 'src/web': 40 };

export function mentionsOf(folder: string, { name, allowed, frozen }: Named): Mention[] {
  const pattern = new RegExp(name, 'i');
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|css|html)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !allowed.test(file))
    .sort()
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          pattern.test(line.replaceAll(frozen, '')) ? `${file}:${index + 1}: ${line.trim()}` : [],
        ),
    );
}
