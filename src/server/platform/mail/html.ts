import { readFileSync } from 'node:fs';
import { escapeHtml } from '../html.ts';

const logoId = 'logo@tirelire';

/** The picture in the heading of every mail. */
export const logoAttachment = {
  filename: 'tirelire.png',
  content: readFileSync(new URL('./logo.png', import.meta.url)),
  cid: logoId,
  contentDisposition: 'inline' as const,
};

/** The plain text of a mail as HTML: a paragraph for each empty line, addresses as links. */
export function htmlOfText(body: string): string {
  return mailPage(
    body
      .split(/\n{2,}/)
      .map((text) => `<p style="margin:0 0 16px">${linked(text)}</p>`)
      .join('\n'),
  );
}

/**
 * A mail as HTML, below the logo; `content` is HTML. Styles are inline, because mail programs remove
 * style sheets.
 */
export function mailPage(content: string): string {
  return `<!doctype html>
<html lang="fr"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"></head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif">
<div style="max-width:560px;margin:0 auto;overflow-wrap:anywhere">
<p style="margin:0 0 24px;font-size:20px;font-weight:700"><img src="cid:${logoId}" width="40" height="40" alt="" style="vertical-align:middle;margin-right:12px">Tirelire</p>
${content}
</div></body></html>`;
}

function linked(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, index) =>
      index % 2 === 1 ? `<a href="${escapeHtml(part)}">${escapeHtml(part)}</a>` : escapeHtml(part),
    )
    .join('')
    .replaceAll('\n', '<br>\n');
}
