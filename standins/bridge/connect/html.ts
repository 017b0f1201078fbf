/** Text put into a page is escaped unless it is itself made by `html`. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  const text = parts.reduce((sum, part, index) => sum + render(values[index - 1]) + part);
  return { html: text };
}

export interface Html {
  html: string;
}

type Value = Html | Html[] | string | number | null | undefined;

function render(value: Value): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(render).join('');
  return typeof value === 'object' ? value.html : escapeText(String(value));
}

function escapeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
