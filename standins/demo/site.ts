import type { RunningStandin, Scenario } from '../service/entry.ts';
import { fieldsOf, header, isFromOwnPage, type Request } from '../service/request.ts';
import { type Answer, json, page, redirect } from '../service/responses.ts';
import { type HttpServer, startHttpServer } from '../service/server.ts';
import type { Mailbox } from './mailbox.ts';
import { type MoveContext, moveClock } from './moves.ts';
import { homePage, mailsPage } from './pages.ts';
import type { Progress } from './progress.ts';

/** What the demonstration's own pages show and move. */
export interface Site extends MoveContext {
  mailbox: Mailbox;
  applicationUrl: string;
  standins: Pick<RunningStandin, 'page' | 'section' | 'scenarios' | 'recover'>[];
  /** How far people have come, and where the latest messages can be read. */
  progress(): Promise<Progress>;
}

/** Answers under `site` once it is filled; listens on this machine only. */
export function openSite(port: number, site: () => Site | null): Promise<HttpServer> {
  return startHttpServer(port, (request) => {
    const content = site();
    if (!comesFromHere(request)) return words(403, 'Accès refusé.');
    if (!content)
      return words(503, 'La démonstration démarre\u202f: rechargez cette page dans un instant.');
    return route(content, request).catch(() => words(500, "Une erreur s'est produite."));
  });
}

async function route(site: Site, request: Request): Promise<Answer> {
  switch (`${request.method} ${request.path}`) {
    case 'GET /':
      return show(await home(site, request.query));
    case 'GET /mails':
      // It has no form of its own, and shows those of no mail.
      return page(200, mailsPage(site.mailbox.mails()), { noForms: true });
    case 'GET /_control/clock':
      return json(200, await clockState(site));
    case 'GET /_control/mails':
      return json(200, site.mailbox.mails());
    case 'POST /_control/clock':
      await moveClock(site, formOf(request));
      return json(200, await clockState(site));
    case 'POST /clock': {
      const from = site.clock.now().getTime();
      return redirect(`/?moved=${await moveClock(site, formOf(request))}&from=${from}`);
    }
    case 'POST /scenario':
      return redirect(`/?played=${play(site, formOf(request).name ?? '')}`);
    default:
      return words(404, "Cette page n'existe pas.");
  }
}

async function home(site: Site, query: URLSearchParams): Promise<string> {
  const from = query.get('from');
  return homePage({
    now: site.clock.now(),
    nextSending: await site.nextSending(),
    applicationUrl: site.applicationUrl,
    standins: site.standins,
    scenarios: scenariosOf(site),
    mails: site.mailbox.mails().length,
    progress: await site.progress(),
    movedFrom: from === null ? null : new Date(Number(from)),
    notice: noticeOf(site, query),
  });
}

function scenariosOf({ standins }: Site): Scenario[] {
  return standins.flatMap(({ scenarios = [] }) => scenarios);
}

/** The scenario's name, or why nothing happened. */
function play(site: Site, name: string): string {
  if (name === recoverName) {
    for (const { recover } of site.standins) recover?.();
    return name;
  }
  const scenario = scenariosOf(site).find((one) => one.name === name);
  return scenario?.begin() ? scenario.name : 'nothing';
}

/** The name of the button that ends all of them. */
const recoverName = 'recover';

/** From closed lists: an address cannot put words of its own on the page. */
function noticeOf(site: Site, query: URLSearchParams): string | null {
  const played = query.get('played');
  const scenario = scenariosOf(site).find(({ name }) => name === played);
  return scenario?.notice ?? notices[query.get('moved') ?? played ?? ''] ?? null;
}

const notices: Record<string, string | undefined> = {
  sending: "L'horloge a avancé jusqu'à l'heure de l'envoi.",
  day: "L'horloge a avancé d'un jour. Chaque message est parti à son heure.",
  nowhere: "Aucun envoi n'est prévu\u202f: l'horloge n'a pas avancé.",
  [recoverName]: 'Tout est rétabli\u202f: les banques et la messagerie fonctionnent de nouveau.',
  nothing: "Rien n'a changé\u202f: reliez d'abord une banque dans l'application.",
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
