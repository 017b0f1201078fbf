import { htmlDocument } from '../../service/pages.ts';
import { style } from './style.ts';

/** The name of the chat, above the pages that belong to no workspace. */
export const bar =
  '<header class="bar"><svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true"><g fill="none" stroke-width="3.4" stroke-linecap="round"><path stroke="#36c5f0" d="M7.5 3v6"/><path stroke="#2eb67d" d="M12.5 3v6"/><path stroke="#e01e5a" d="M7.5 12.5V17"/><path stroke="#ecb22e" d="M12.5 12.5V17"/><path stroke="#36c5f0" d="M3 7.5h1.5"/><path stroke="#2eb67d" d="M15.5 7.5H17"/><path stroke="#e01e5a" d="M3 12.5h1.5"/><path stroke="#ecb22e" d="M15.5 12.5H17"/></g></svg> slack <span>de démonstration</span></header>';

export function slackPage(content: { title: string; body: string; script?: string }): string {
  return htmlDocument({
    ...content,
    title: `${content.title} · Slack de démonstration`,
    style,
    body: `<aside class="demo" aria-label="Démonstration">Démonstration\u202f: ce n'est pas le vrai Slack, rien ne quitte cette machine.</aside>
${content.body}`,
  });
}
