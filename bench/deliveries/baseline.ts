import { Pool } from 'undici';
import { warmUp } from './arguments.ts';

/** The same posts without the product: the limit of the machine and the HTTP client. */
const [count = '10000', concurrency = '200', chatUrl = ''] = process.argv.slice(2);
const pool = new Pool(chatUrl, { connections: Number(concurrency) });
await run(warmUp);
const cpu = process.cpuUsage();
const start = performance.now();
await run(Number(count));
const seconds = (performance.now() - start) / 1000;
const used = process.cpuUsage(cpu);
process.stdout.write(
  `${JSON.stringify({ perSecond: Number(count) / seconds, cpuSeconds: (used.user + used.system) / 1e6 })}\n`,
);
await pool.close();

async function run(total: number): Promise<void> {
  let next = 0;
  const loop = async () => {
    for (let index = next++; index < total; index = next++) {
      const { body } = await pool.request({
        method: 'POST',
        path: '/api/chat.postMessage',
        headers: {
          authorization: `Bearer xoxb-TBARE${index}-secret`,
          'content-type': 'application/json; charset=utf-8',
        },
        body: JSON.stringify({
          channel: `CHANNELTBARE${index}`,
          text: 'Bonjour',
          unfurl_links: false,
          unfurl_media: false,
          client_msg_id: crypto.randomUUID(),
        }),
      });
      const answer = (await body.json()) as { ok: boolean };
      if (!answer.ok) throw new Error(JSON.stringify(answer));
    }
  };
  await Promise.all(Array.from({ length: Number(concurrency) }, loop));
}
