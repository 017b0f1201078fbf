import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { DemoClock } from './clock.ts';
import type { Mailbox } from './mailbox.ts';
import { moveClock } from './moves.ts';
import { homePage } from './pages/home.ts';
import { style } from './pages/layout.ts';
import { mailsPage } from './pages/mails.ts';

/** What the demonstration's own pages show and move. */
export interface Site {
  clock: DemoClock;
  mailbox: Mailbox;
  nextSending(): Promise<Date | null>;
  applicationUrl: string;
  chatUrl: string | null;
  bank: boolean;
}

/** Answers under `site` once it is filled; listens on this machine only. */
export async function openSite(port: number, site: () => Site | null): Promise<Server> {
  const server = createServer((request, response) => {
    void route(site(), request, response).catch(() => send(response, 500, 'text/plain', 'Erreur.'));
  });
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen({ host: '127.0.0.1', port }, done);
  });
  return server;
}

async function route(
  site: Site | null,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!comesFromHere(request)) return send(response, 403, 'text/plain', 'Accès refusé.');
  if (!site) return send(response, 503, 'text/plain', 'La démonstration démarre.');
  const url = new URL(request.url ?? '/', 'http://localhost');
  switch (`${request.method} ${url.pathname}`) {
    case 'GET /':
      return send(response, 200, 'text/html', await home(site, url.searchParams.get('moved')));
    case 'GET /mails':
      return send(response, 200, 'text/html', mailsPage(site.mailbox.mails()));
    case 'GET /style.css':
      return send(response, 200, 'text/css', style);
    case 'GET /_control/clock':
      return sendJson(response, await clockState(site));
    case 'GET /_control/mails':
      return sendJson(response, site.mailbox.mails());
    case 'POST /_control/clock':
      await moveClock(site, Object.fromEntries(new URLSearchParams(await bodyOf(request))));
      return sendJson(response, await clockState(site));
    case 'POST /clock': {
      const moved = await moveClock(
        site,
        Object.fromEntries(new URLSearchParams(await bodyOf(request))),
      );
      response.writeHead(303, { location: `/?moved=${moved}` }).end();
      return;
    }
    default:
      return send(response, 404, 'text/plain', 'Cette page n’existe pas.');
  }
}

async function home(site: Site, moved: string | null): Promise<string> {
  return homePage({
    now: site.clock.now(),
    nextSending: await site.nextSending(),
    applicationUrl: site.applicationUrl,
    chatUrl: site.chatUrl,
    bank: site.bank,
    mails: site.mailbox.mails().length,
    notice: moved ? (notices[moved] ?? null) : null,
  });
}

const notices: Record<string, string | undefined> = {
  sending: 'L’horloge est juste avant l’envoi : le message part dans une seconde.',
  day: 'L’horloge a avancé d’un jour.',
  nowhere: 'Aucun envoi n’est prévu : l’horloge n’a pas bougé.',
};

async function clockState(site: Site): Promise<object> {
  return { now: site.clock.now(), nextSending: await site.nextSending() };
}

/** Another site's page must not move the clock, nor a name that was made to point here read it. */
function comesFromHere(request: IncomingMessage): boolean {
  const host = (request.headers.host ?? '').replace(/:\d+$/, '');
  const site = request.headers['sec-fetch-site'];
  const isForeign = request.method === 'POST' && (site === 'cross-site' || site === 'same-site');
  return ['localhost', '127.0.0.1', '[::1]'].includes(host) && !isForeign;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) {
    body += chunk;
    if (body.length > 10_000) throw new Error('body too large');
  }
  return body;
}

function sendJson(response: ServerResponse, value: unknown): void {
  send(response, 200, 'application/json', JSON.stringify(value));
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-store',
    'content-security-policy':
      "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  response.end(body);
}
