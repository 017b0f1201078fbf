import process from 'node:process';
import { startBridgeStandin } from '../standins/bridge/server.ts';
import { startSlackStandin } from '../standins/slack/server.ts';

/** The stand-ins of the bank, which answers after 5 ms, and of the chat, in a process of their own. */
const clock = { now: () => new Date() };
const bank = await startBridgeStandin({ clock });
const chat = await startSlackStandin({ clock });
bank.control.addFault({ match: '/v3/', kind: 'delay', ms: 5 });
const [team] = chat.control.teams();
process.send?.({
  bankUrl: bank.url,
  chatUrl: chat.url,
  chatToken: team ? chat.control.install(team.id) : '',
});
process.once('disconnect', () => process.exit(0));
