import { escapeHtml } from '../../service/pages.ts';

/**
 * Slack's mrkdwn as HTML. The text comes with `&amp; &lt; &gt;` for the three signs; whatever stands
 * between `<` and `>` is a link or a mention. Anything else of HTML is shown, never obeyed. In a
 * verbatim text (`links` false) a bare address stays letters.
 */
export function drawText(text: string, links = true): string {
  return text
    .split(/(```[\s\S]+?```)/)
    .map((part) =>
      /^```[\s\S]+```$/.test(part)
        ? `<pre>${plain(part.slice(3, -3).replace(/^\n/, ''))}</pre>`
        : part
            .split('\n')
            .map((line) => drawLine(line, links))
            .join('<br>'),
    )
    .join('');
}

function drawLine(line: string, links: boolean): string {
  const quote = /^(?:&gt;|>) ?(.*)$/.exec(line);
  return quote
    ? `<blockquote>${drawInline(quote[1] ?? '', links)}</blockquote>`
    : drawInline(line, links);
}

function drawInline(line: string, links: boolean): string {
  return line
    .split(/(`[^`]+`|<[^<>]+>)/)
    .map((part) => {
      if (/^`.+`$/.test(part)) return `<code>${plain(part.slice(1, -1))}</code>`;
      if (/^<.+>$/.test(part)) return drawReference(part.slice(1, -1));
      return drawStyles(plain(part), links);
    })
    .join('');
}

function drawReference(reference: string): string {
  const [target = '', label] = reference.split('|');
  if (/^(https?|mailto):/.test(target)) return link(target, label ?? target);
  const name = plain(label ?? target.replace(/^[@#!]/, ''));
  if (target.startsWith('!date^')) return name;
  return `<span class="mention">${target.startsWith('#') ? '#' : '@'}${name}</span>`;
}

function drawStyles(html: string, links: boolean): string {
  const styled = html
    .replace(/(^|[\s(])\*(\S(?:[^*]*\S)?)\*(?=$|[\s).,;:!?])/g, '$1<strong>$2</strong>')
    .replace(/(^|[\s(>])_(\S(?:[^_]*\S)?)_(?=$|[\s).,;:!?<])/g, '$1<em>$2</em>')
    .replace(/(^|[\s(>])~(\S(?:[^~]*\S)?)~(?=$|[\s).,;:!?<])/g, '$1<s>$2</s>')
    .replace(/:([a-z0-9_+-]+):/g, (code, name: string) => emoji[name] ?? code);
  if (!links) return styled;
  return styled.replace(/(^|\s)(https?:\/\/[^\s<]+)/g, (_all, before: string, address: string) => {
    return `${before}<a href="${address}" rel="noreferrer noopener" target="_blank">${address}</a>`;
  });
}

function link(target: string, label: string): string {
  return `<a href="${plain(target)}" rel="noreferrer noopener" target="_blank">${plain(label)}</a>`;
}

/** Decodes Slack's three entities, then escapes everything for HTML. */
function plain(text: string): string {
  return escapeHtml(text.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&'));
}

/** A few of Slack's emoji names; any other stays as written. */
const emoji: Record<string, string> = {
  '+1': '👍',
  thumbsup: '👍',
  wave: '👋',
  tada: '🎉',
  moneybag: '💰',
  euro: '💶',
  bank: '🏦',
  warning: '⚠️',
  white_check_mark: '✅',
  x: '❌',
  chart_with_upwards_trend: '📈',
  chart_with_downwards_trend: '📉',
  bell: '🔔',
  calendar: '📆',
  coffee: '☕',
  sunny: '☀️',
  smile: '😄',
  slightly_smiling_face: '🙂',
  heart: '❤️',
  rocket: '🚀',
  fr: '🇫🇷',
  pig: '🐷',
  hourglass: '⌛',
};
