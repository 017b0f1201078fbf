import { randomBytes } from 'node:crypto';
import type { Channel } from '../service/channel.ts';
import { html, htmlDocument } from '../service/pages.ts';
import { fieldsOf, isFromOwnPage, mediaType, type Request } from '../service/request.ts';
import { type Answer, json, page, redirect } from '../service/responses.ts';

/** The application that every demonstration knows. */
export const application = {
  clientId: '310954232226357250',
  clientSecret: 'demo-discord-client-secret',
};

/** One-time codes, with the channel and the address that each was given for. */
export type Codes = Map<string, { channel: string; redirectUri: string }>;

/** The consent page (GET) and what was decided on it (POST). */
export function answerAuthorize(
  request: Request,
  channels: readonly Channel[],
  codes: Codes,
): Answer | null {
  if (request.path !== '/oauth2/authorize') return null;
  const {
    client_id: clientId,
    scope,
    redirect_uri: redirectUri = '',
    state = '',
  } = fieldsOf(request.query);
  const isKnown = clientId === application.clientId && scope === 'webhook.incoming';
  if (!isKnown || !/^https?:\/\/(localhost|127\.0\.0\.1)[:/]/.test(redirectUri)) {
    return page(400, 'OAuth2 redirect_uri invalide.');
  }
  if (request.method !== 'POST') return page(200, consentPage(channels), {});
  if (!isFromOwnPage(request)) return page(403, 'Accès refusé.');
  const { salon = '' } = fieldsOf(new URLSearchParams(request.text));
  const back = new URL(redirectUri);
  back.searchParams.set('state', state);
  if (salon === '') back.searchParams.set('error', 'access_denied');
  else back.searchParams.set('code', makeCode(codes, salon, redirectUri));
  return redirect(back.href);
}

function makeCode(codes: Codes, channel: string, redirectUri: string): string {
  const code = randomBytes(15).toString('base64url');
  codes.set(code, { channel, redirectUri });
  return code;
}

/** Takes a form alone, and each code once. */
export function exchangeCode(request: Request, channels: readonly Channel[], codes: Codes): Answer {
  if (mediaType(request) !== 'application/x-www-form-urlencoded') {
    return json(415, { message: 'Unsupported Media Type', code: 0 });
  }
  const form = fieldsOf(new URLSearchParams(request.text));
  if (form.client_id !== application.clientId || form.client_secret !== application.clientSecret) {
    return json(401, { error: 'invalid_client' });
  }
  const given = codes.get(form.code ?? '');
  codes.delete(form.code ?? '');
  const channel = channels.find(({ id }) => id === given?.channel);
  if (!channel || given?.redirectUri !== form.redirect_uri)
    return json(400, { error: 'invalid_grant' });
  channel.state = 'open';
  const [id, token] = channel.key.split('/');
  return json(200, {
    ...{ token_type: 'Bearer', access_token: 'a', refresh_token: 'r', expires_in: 604_800 },
    scope: 'webhook.incoming',
    webhook: { id, token, type: 1, name: channel.name, channel_id: '345626669224982402' },
  });
}

function consentPage(channels: readonly Channel[]): string {
  return htmlDocument({
    title: 'Autoriser Tirelire · Discord de démonstration',
    style,
    body: html`<p>Démonstration\u202f: ce n'est pas le vrai Discord, rien ne quitte cette machine.</p>
<main><h1>Tirelire veut écrire dans un salon</h1><form method="post">
<p><label for="salon">Salon</label><br><select id="salon" name="salon">
${channels.map(({ id, name }) => html`<option value="${id}"># ${name}</option>`)}</select></p>
<button class="main">Autoriser</button></form>
<form method="post"><button>Annuler</button></form></main>`.html,
  });
}

const style = `:root{color-scheme:light dark}
*{box-sizing:border-box}
body{margin:0;padding:0 16px 16px;background:light-dark(#e3e5e8,#1e1f22);color:light-dark(#1d1f24,#e7e8ea);font:16px/1.5 system-ui,sans-serif}
body>p{margin:0 -16px 24px;padding:4px 16px;background:light-dark(#fff3d0,#4a3c12);font-size:13px;text-align:center}
main{max-width:28rem;margin:0 auto;padding:24px;border-radius:8px;background:light-dark(#fff,#313338)}
h1{margin:0 0 16px;font-size:22px;line-height:1.3}
select,button{width:100%;min-height:44px;padding:8px 16px;border:1px solid light-dark(#80848e,#949ba4);border-radius:4px;background:transparent;color:inherit;font:inherit;cursor:pointer}
option{color:initial}
.main{margin:0 0 8px;border-color:#4752c4;background:#4752c4;color:#fff;font-weight:600}
:focus-visible{outline:3px solid #5865f2;outline-offset:2px}`;
