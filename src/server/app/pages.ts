import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import helmet from '@fastify/helmet';
import statics from '@fastify/static';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { escapeHtml } from '../platform/html.ts';
import { refusedPermissions, securityHeaders } from '../platform/http/security.ts';
import type { AppConfiguration } from '../providers/configuration.ts';

/** The output of the build. */
const built = fileURLToPath(new URL('../../../dist/web', import.meta.url));

/**
 * Serves the web app: its built files, and its one page under every other address, because the web
 * app does its own routing.
 */
export function pageRoutes(
  { configuration }: { configuration: PageConfiguration },
  folder = built,
): FastifyPluginAsync {
  return async (pages) => {
    const files = new Set(filesOf(folder));
    const page = fill(readFileSync(join(folder, 'index.html'), 'utf8'), configuration);
    await pages.register(helmet, securityHeaders(configuration));
    await pages.register(statics, { root: folder, serve: false, preCompressed: true });
    pages.get('/*', async (request, reply) => {
      const path = request.url.split('?', 1)[0] ?? '/';
      if (files.has(path)) return sendFile(path, reply);
      if (looksLikeFile(path) || path.startsWith('/api/')) return reply.callNotFound();
      const elsewhere = redirectTarget(request, configuration.publicUrl);
      if (elsewhere) return reply.redirect(elsewhere, 307);
      const headers = { 'cache-control': 'no-cache', 'permissions-policy': refusedPermissions };
      return reply.type('text/html; charset=utf-8').headers(headers).send(page);
    });
  };
}

type PageConfiguration = Parameters<typeof securityHeaders>[0] &
  Pick<AppConfiguration, 'apiUrl' | 'demoUrl' | 'operatorName' | 'publicUrl'> & {
    bankSources: Pick<AppConfiguration['bankSources'][number], 'credentials'>[];
    chats: { kind: string }[];
  };

/** The addresses of the files, without the page, compressed copies and hidden files of the build. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll('\\', '/'))
    .filter((path) => path !== '/index.html' && !/\.(br|gz)$|\/\./.test(path));
}

/** The values the web app reads from its `<meta name="tirelire">`. */
function fill(html: string, configuration: PageConfiguration): string {
  const { apiUrl, demoUrl, operatorName, bankSources, chats } = configuration;
  const kinds = chats.map(({ kind }) => kind).join(' ');
  return html
    .replace(/data-api-url="[^"]*"/, () => `data-api-url="${escapeHtml(apiUrl)}"`)
    .replace(/data-demo="[^"]*"/, () => `data-demo="${escapeHtml(demoUrl ?? '')}"`)
    .replace(/data-banks="[^"]*"/, () => `data-banks="${waysOf(bankSources)}"`)
    .replace(/data-chats="[^"]*"/, () => `data-chats="${escapeHtml(kinds)}"`)
    .replace(/data-operator="[^"]*"/, () => `data-operator="${escapeHtml(operatorName ?? '')}"`);
}

/** Whether banks are linked on a page of the installation's service, by people's own forms, or both. */
function waysOf(sources: PageConfiguration['bankSources']): string {
  const isOfPerson = sources.map(({ credentials }) => credentials === null);
  if (!isOfPerson.includes(true)) return 'page';
  return isOfPerson.includes(false) ? 'both' : 'forms';
}

/** The name of a file under assets/ contains a hash of its content, so it never changes. */
function sendFile(path: string, reply: FastifyReply): FastifyReply {
  const immutable = path.startsWith('/assets/');
  return reply.sendFile(path, { maxAge: immutable ? '365d' : 0, immutable });
}

export function looksLikeFile(path: string): boolean {
  return path.lastIndexOf('.') > path.lastIndexOf('/');
}

/**
 * The same page at the public address, for requests to another host: sessions, links in mails and
 * callbacks of providers all use one origin.
 */
function redirectTarget(request: FastifyRequest, publicUrl: string): string | null {
  const { protocol, host } = new URL(publicUrl);
  // A proxy may write the usual port, and capitals.
  if (URL.parse(`${protocol}//${request.host}`)?.host === host) return null;
  return request.url.startsWith('/') ? `${publicUrl}${request.url}` : publicUrl;
}
