import { type Answer, json, page, redirect } from '../service/answers.ts';
import type { RunningStandin } from '../service/entry.ts';
import { fieldsOf, header, isFromOwnPage, type Request } from '../service/request.ts';
import { type HttpServer, startHttpServer } from '../service/server.ts';
import type { DemoClock } from './clock.ts';
import type { Mailbox } from './mailbox.ts';
import { moveClock } from './moves.ts';
import { homePage, mailsPage } from './pages.ts';

/** What the demonstration's own pages show and move. */
export interface Site {
  clock: DemoClock;
  mailbox: Mailbox;
  nextSending(): Promise<Date | null>;
  applicationUrl: string;
  standins: Pick<RunningStandin, 'place' | 'section'>[];
}

/** Answers under `site` once it is filled; listens on this machine only. */
export function openSite(port: number, site: () => Site | null): Promise<HttpServer> {
  return startHttpServer(port, (request) => {
    const content = site();
    if (!comesFromHere(request)) return words(403, 'Accès refusé.');
    if (!content) return words(503, 'La démonstration démarre.');
    return route(content, request).catch(() => words(500, 'Erreur.'));
  });
}

async function route(site: Site, request: Request): Promise<Answer> {
  switch (`${request.method} ${request.path}`) {
    case 'GET /':
      return show(await home(site, request.query.get('moved')));
    case 'GET /mails':
      return show(mailsPage(site.mailbox.mails()));
    case 'GET /_control/clock':
      return json(200, await clockState(site));
    case 'GET /_control/mails':
      return json(200, site.mailbox.mails());
    case 'POST /_control/clock':
      await moveClock(site, formOf(request));
      return json(200, await clockState(site));
    case 'POST /clock':
      return redirect(`/?moved=${await moveClock(site, formOf(request))}`);
    default:
      return words(404, 'Cette page n’existe pas.');
  }
}

async function home(site: Site, moved: string | null): Promise<string> {
  return homePage({
    now: site.clock.now(),
    nextSending: await site.nextSending(),
    applicationUrl: site.applicationUrl,
    standins: site.standins,
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
function comesFromHere(request: Request): boolean {
  const host = header(request, 'host').replace(/:\d+$/, '');
  const isOwn = request.method !== 'POST' || isFromOwnPage(request);
  return ['localhost', '127.0.0.1', '[::1]'].includes(host) && isOwn;
}

function formOf(request: Request): Record<string, string> {
  return fieldsOf(new URLSearchParams(request.text));
}

function show(html: string): Answer {
  return page(200, html, { ownForms: true });
}

function words(status: number, text: string): Answer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: text };
}
