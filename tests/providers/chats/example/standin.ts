import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A team of a chat that does not exist: its key is its secret, it has channels. */
export interface Team {
  name: string;
  channelNames: string[];
  /** Channel, text and the id that we gave, in the order of arrival. */
  arrived: { channel: string; text: string; id: string }[];
  /**
   * What the next post meets: an answer that is lost after it stands, too many calls for seven
   * seconds, or a channel with a new name.
   */
  next: 'lost' | 'rate_limited' | { movedTo: string } | null;
}

export interface ExampleStandin {
  url: string;
  /** By key. A team that is taken away refuses everything. */
  teams: Map<string, Team>;
  close(): Promise<void>;
}

export async function startExampleStandin(): Promise<ExampleStandin> {
  const teams = new Map<string, Team>();
  const server = createServer(async (request, response) => {
    const key = request.url?.slice(1) ?? '';
    const team = teams.get(key);
    if (!team) return answer(response, 404, {});
    if (request.method === 'DELETE') teams.delete(key);
    if (request.method !== 'POST') {
      return answer(response, 200, { name: team.name, channelNames: team.channelNames });
    }
    const message = (await json(request)) as Team['arrived'][number];
    const { next } = team;
    team.next = null;
    if (next === 'rate_limited') return answer(response, 429, {}, { 'retry-after': '7' });
    if (typeof next === 'object' && next) {
      team.channelNames = team.channelNames.map((name) =>
        name === message.channel ? next.movedTo : name,
      );
      return answer(response, 410, next);
    }
    team.arrived.push(message);
    return next === 'lost' ? request.socket.destroy() : answer(response, 200, { messageId: '7' });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    teams,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function answer(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
