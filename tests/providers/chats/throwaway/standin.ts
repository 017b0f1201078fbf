import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A house of a chat that does not exist: its key is its secret, its rooms are the channels. */
export interface House {
  name: string;
  rooms: string[];
  /** Room, text and the id that we gave, in the order of arrival. */
  arrived: { room: string; text: string; id: string }[];
  /**
   * What the next post meets: an answer that is lost after it stands, no room for seven seconds, or a
   * room with a new name.
   */
  next: 'lost' | 'full' | { movedTo: string } | null;
}

export interface PigeonStandin {
  url: string;
  /** By key. A house that is taken away refuses everything. */
  houses: Map<string, House>;
  close(): Promise<void>;
}

export async function startPigeonStandin(): Promise<PigeonStandin> {
  const houses = new Map<string, House>();
  const server = createServer(async (request, response) => {
    const key = request.url?.slice(1) ?? '';
    const house = houses.get(key);
    if (!house) return answer(response, 404, {});
    if (request.method === 'DELETE') houses.delete(key);
    if (request.method !== 'POST') {
      return answer(response, 200, { name: house.name, rooms: house.rooms });
    }
    const message = (await json(request)) as House['arrived'][number];
    const { next } = house;
    house.next = null;
    if (next === 'full') return answer(response, 429, {}, { 'retry-after': '7' });
    if (typeof next === 'object' && next) {
      house.rooms = house.rooms.map((room) => (room === message.room ? next.movedTo : room));
      return answer(response, 410, next);
    }
    house.arrived.push(message);
    return next === 'lost' ? request.socket.destroy() : answer(response, 200, { nest: '7' });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    houses,
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
