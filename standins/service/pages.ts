export interface Html {
  html: string;
}

type Value = Html | Html[] | string | number | null | undefined;

/** Text put into a page is escaped unless it is itself made by `html`. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  const text = parts.reduce((sum, part, index) => sum + render(values[index - 1]) + part);
  return { html: text };
}

function render(value: Value): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(render).join('');
  return typeof value === 'object' ? value.html : escapeHtml(String(value));
}

/** Text as it may stand in HTML and in its attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** One page: its style and script inside, nothing loaded from elsewhere. `body` is HTML. */
export function htmlDocument(options: {
  title: string;
  style: string;
  body: string;
  script?: string;
}): string {
  const { title, style, body, script } = options;
  return `<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
${script ? `<script>${script}</script>` : ''}
</body>
</html>
`;
}

/** The picture of Tirelire, as its maker would have uploaded it to a service. */
export function appIcon(attributes: string): string {
  return `<svg ${attributes} aria-hidden="true" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="#1d56c9"/><circle cx="14" cy="7.7" r="3.5" fill="#7ee0ad"/><path fill="#fff" d="M20.6 10.3c.1-.7.8-1 1.4-.6 1 .7 1.6 1.7 1.8 2.9.7.7 1.2 1.5 1.5 2.4h.7c.8 0 1.5.7 1.5 1.5v2.7c0 .8-.7 1.5-1.5 1.5h-.9a8 8 0 0 1-2.1 2.5v2.3c0 .8-.7 1.5-1.5 1.5h-1.7c-.8 0-1.5-.7-1.5-1.5v-.9h-4.6v.9c0 .8-.7 1.5-1.5 1.5h-1.7c-.8 0-1.5-.7-1.5-1.5v-2.5A7.3 7.3 0 0 1 5 17.7c0-3.9 3.3-6.7 7.6-6.7h7.8z"/><rect x="9.8" y="13.3" width="8.4" height="2" rx="1" fill="#1d56c9"/><circle cx="21.9" cy="16.3" r="1.2" fill="#1d56c9"/></svg>`;
}
