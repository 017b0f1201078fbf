import { createServer, connect as dial, type Socket } from 'node:net';

/** A TCP proxy in front of a server whose connections can be cut without FIN or RST. */
export interface NetworkPath {
  /** The server's address through the proxy. */
  url: string;
  /** Open connections carry nothing any more. New ones are not connected before `restore`. */
  cut(): void;
  restore(): void;
  /**
   * The next time that a client sends these words, after `before` where it is given, the server gets
   * them, and that connection carries nothing any more.
   */
  loseAnswerTo(words: string, before?: string): void;
  /** How clients closed their connections, in order. */
  readonly closings: ('fin' | 'rst')[];
  /** What clients sent on connections that carried nothing any more. */
  readonly lost: string[];
  close(): Promise<void>;
}

export async function openPath(address: string): Promise<NetworkPath> {
  const { hostname, port } = new URL(address);
  const links: Link[] = [];
  const waiting: Socket[] = [];
  const closings: NetworkPath['closings'] = [];
  const state: State = { isCut: false, last: null, lost: [] };
  const carryOn = (near: Socket): void => {
    links.push(carry(near, dial(Number(port), hostname), state));
  };
  const server = createServer((near) => {
    near.on('end', () => closings.push('fin'));
    near.on('error', () => closings.push('rst'));
    if (state.isCut) waiting.push(near);
    else carryOn(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: addressAt(address, server.address()),
    closings,
    lost: state.lost,
    cut() {
      state.isCut = true;
      for (const link of links) link.isDead = true;
    },
    restore() {
      state.isCut = false;
      for (const near of waiting.splice(0)) carryOn(near);
    },
    loseAnswerTo(words, before = '') {
      state.last = { words, before };
    },
    async close() {
      for (const socket of [...waiting, ...links.flatMap(({ near, far }) => [near, far])]) {
        socket.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface State {
  isCut: boolean;
  /** The words after which a connection is cut, and those that must come before. */
  last: { words: string; before: string } | null;
  lost: string[];
}

interface Link {
  near: Socket;
  far: Socket;
  isDead: boolean;
}

function carry(near: Socket, far: Socket, state: State): Link {
  const link: Link = { near, far, isDead: false };
  let isBegun = false;
  near.on('data', (bytes) => {
    if (link.isDead) {
      state.lost.push(String(bytes));
      return;
    }
    far.write(bytes);
    if (!state.last) return;
    isBegun ||= bytes.includes(state.last.before);
    if (!isBegun || !bytes.includes(state.last.words)) return;
    state.last = null;
    link.isDead = true;
  });
  far.on('data', (bytes) => link.isDead || near.write(bytes));
  near.on('close', () => link.isDead || far.destroy());
  far.on('close', () => link.isDead || near.destroy());
  far.on('error', () => {});
  return link;
}

function addressAt(address: string, bound: ReturnType<ReturnType<typeof createServer>['address']>) {
  if (typeof bound !== 'object' || !bound) throw new Error('no free port');
  const url = new URL(address);
  url.port = String(bound.port);
  return url.href;
}
