import { answerControl } from './control.ts';
import { createFaults, type Fault, type FaultShapes, type Faults, playFault } from './faults.ts';
import {
  fieldsOf,
  isFromOwnPage,
  type Request,
  type RequestRecord,
  recordRequest,
} from './request.ts';
import { type Answer, page, redirect } from './responses.ts';
import type { Arrived, Room } from './room.ts';
import { type Appearance, roomPage } from './rooms-page.ts';
import { readSaved, saveState } from './saved-state.ts';
import { startHttpServer } from './server.ts';

/** A stand-in of a chat whose rooms are posted to at an address that names the room and its key. */
export interface RoomsStandin {
  /** Without a trailing slash; it is also the page for people. */
  url: string;
  control: RoomsControl;
  close(): Promise<void>;
}

export interface RoomsOptions {
  /** 0 (the default) takes a free one. Always on 127.0.0.1. */
  port?: number;
  clock: { now(): Date };
  /** Where its state outlives the process; null (the default) keeps it in memory. */
  stateFile?: string | null;
}

export interface RoomFault extends Fault {
  room?: string;
}

/** What one chat does in its own way. */
export interface RoomsChat {
  appearance: Appearance;
  rooms: Pick<Room, 'id' | 'name' | 'key'>[];
  /** The paths of its API. */
  apiPath: RegExp;
  /** The room that a request of the API is about. */
  roomOf(rooms: readonly Room[], request: Request): Room | undefined;
  /** What the chat answers; `keep` makes the message stand in the room and returns its id. */
  answer(request: Request, room: Room | undefined, memory: Memory): Answer;
  /** Other pages of its own; null for a path that is none of them. */
  page?(request: Request, rooms: readonly Room[]): Answer | null;
  /** How many people would be called by a message as it stands. */
  ringsOf(body: Record<string, unknown>): number;
  faultShapes: FaultShapes;
}

export interface Memory {
  now(): Date;
  rooms: readonly Room[];
  keep(room: Room, body: Record<string, unknown>): Arrived;
}

export type RoomsControl = ReturnType<typeof createControl>;

const keptMessages = 200;

export async function startRoomsStandin(
  chat: RoomsChat,
  { port = 0, clock, stateFile = null }: RoomsOptions,
): Promise<RoomsStandin> {
  const rooms = openRooms(chat, stateFile);
  const saved = saveState(stateFile, () => rooms);
  const faults = createFaults<RoomFault>(1);
  const requests: RequestRecord[] = [];
  const control = createControl({ chat, rooms, faults, requests, changed: saved.changed }, () =>
    server.breakStalled(),
  );
  const memory: Memory = { now: () => clock.now(), rooms, keep };
  const server = await startHttpServer(port, (request): Answer | Promise<Answer> => {
    if (request.path.startsWith('/_control/')) return answerControl(control, request);
    if (!chat.apiPath.test(request.path)) return answerPage(request);
    recordRequest(requests, request);
    const room = chat.roomOf(rooms, request);
    const fault = faults.take((one) => one.room === undefined || one.room === room?.id);
    const work = () => chat.answer(request, room, memory);
    return fault ? playFault(fault, work, chat.faultShapes) : work();
  });
  return {
    url: server.url,
    control,
    async close() {
      await server.close();
      await saved.close();
    },
  };

  function keep(room: Room, body: Record<string, unknown>): Arrived {
    const at = clock.now().toISOString();
    const arrived = { id: `m${room.id}${room.messages.length + 1}-${Date.parse(at)}`, at, body };
    room.messages.push(arrived);
    if (room.messages.length > keptMessages) room.messages.shift();
    saved.changed();
    return arrived;
  }

  function answerPage(request: Request): Answer {
    const own = chat.page?.(request, rooms);
    if (own) return own;
    const [, folder, id] = request.path.split('/');
    const room = folder === 'salons' ? rooms.find((one) => one.id === id) : rooms[0];
    if (!room || !['', 'salons'].includes(folder ?? ''))
      return page(404, 'Cette page n’existe pas.');
    if (request.method === 'POST') {
      if (!isFromOwnPage(request)) return page(403, 'Accès refusé.');
      const { state = 'open' } = fieldsOf(new URLSearchParams(request.text));
      control.setState(room.id, state);
      return redirect(`/salons/${room.id}`);
    }
    return page(200, roomPage(chat.appearance, rooms, room, server.url), { ownForms: true });
  }
}

function openRooms({ rooms }: RoomsChat, stateFile: string | null): Room[] {
  const before = readSaved(stateFile);
  const known = new Map(Array.isArray(before) ? before.map((room: Room) => [room.id, room]) : []);
  return rooms.map((room) => ({ state: 'open', messages: [], ...known.get(room.id), ...room }));
}

interface Inside {
  chat: RoomsChat;
  rooms: Room[];
  faults: Faults<RoomFault>;
  requests: RequestRecord[];
  changed(): void;
}

/** What tests and the demonstration do behind the chat's back; over HTTP too, under `/_control/`. */
function createControl(
  { chat, rooms, faults, requests, changed }: Inside,
  breakStalled: () => void,
) {
  const roomOf = (id: string): Room => {
    const room = rooms.find((one) => one.id === id);
    if (!room) throw new Error(`no such room: ${id}`);
    return room;
  };
  return {
    messages: (id: string) => roomOf(id).messages,
    /** How many people all that arrived would have called. */
    rings: () =>
      rooms
        .flatMap(({ messages }) => messages)
        .reduce((sum, { body }) => sum + chat.ringsOf(body), 0),
    clearMessages() {
      for (const room of rooms) room.messages.length = 0;
      changed();
    },
    setState(id: string, state: string) {
      roomOf(id).state = state;
      changed();
    },
    addFault: (fault: RoomFault) => faults.add(fault),
    clearFaults() {
      faults.clear();
      breakStalled();
    },
    /** The latest thousand calls of the API. */
    requests: () => requests,
    clearRequests() {
      requests.length = 0;
    },
  };
}

/** The body that a stand-in answers with where it has nothing of its own to say. */
export function plainText(status: number, body: string, headers: Record<string, string> = {}) {
  return { status, headers: { 'content-type': 'text/plain', ...headers }, body };
}
