/**
 * The stand-in of a chat as a process of its own. Arguments: its kind, and `stall` where no post is to be
 * answered for a minute. Prints its address as one line of JSON; ends with its standard input.
 */
import { kinds } from './kinds.ts';

const [kind = '', how] = process.argv.slice(2);
const chat = kinds[kind];
if (!chat) throw new Error(`no such chat: ${kind}`);
const { url, stall } = await chat.start();
if (how === 'stall') stall();
process.stdout.write(`${JSON.stringify({ url })}\n`);
process.stdin.resume().once('end', () => process.exit(0));
