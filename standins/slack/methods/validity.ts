/** The limits of Block Kit that a message can break: a refused list says where. */
export function checkBlocks(
  given: unknown,
): { blocks: unknown[] } | { error: string; [detail: string]: unknown } {
  const blocks = readJson(given);
  if (!Array.isArray(blocks)) return { error: 'invalid_blocks_format' };
  if (blocks.length > 50) return refused(['no more than 50 items allowed [json-pointer:/blocks]']);
  const faults = blocks.flatMap((block: unknown, index) => faultsOf(block, index));
  if (faults.length > 0) return refused(faults);
  if (blocks.filter((block) => typeOf(block) === 'data_visualization').length > 2) {
    return refused(['no more than 2 data visualizations [json-pointer:/blocks]']);
  }
  if (blocks.filter((block) => typeOf(block) === 'table').length > 1) {
    const messages = ['[ERROR] only_one_table_allowed'];
    return { error: 'invalid_attachments', response_metadata: { messages } };
  }
  return { blocks };
}

/** A JSON text of a form, or the value itself of a JSON body; undefined when it cannot be read. */
export function readJson(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

const known = new Set([
  'header',
  'section',
  'context',
  'divider',
  'image',
  'rich_text',
  'table',
  'data_table',
  'data_visualization',
  'markdown',
  'actions',
]);

function faultsOf(block: unknown, index: number): string[] {
  const type = typeOf(block);
  if (!known.has(type)) return [`unsupported type: ${type} [json-pointer:/blocks/${index}/type]`];
  const text = textOf(block);
  const at = `[json-pointer:/blocks/${index}/text/text]`;
  if (type === 'header' && text === '') return [`must be more than 0 characters ${at}`];
  if (type === 'header' && text.length > 150) return [`must be less than 151 characters ${at}`];
  if (type === 'section' && text.length > 3000) return [`must be less than 3001 characters ${at}`];
  if (type === 'section' && text === '' && !fieldCount(block)) return [`missing text ${at}`];
  if (fieldCount(block) > 10)
    return [`no more than 10 items [json-pointer:/blocks/${index}/fields]`];
  if (type === 'context') return contextFaults(block, `/blocks/${index}/elements`);
  if (type === 'table') return tableFaults(block, `/blocks/${index}/rows`);
  if (type === 'data_visualization') return chartFaults(block, `/blocks/${index}`);
  return [];
}

function contextFaults(block: unknown, at: string): string[] {
  const elements = (block as { elements?: unknown }).elements;
  const fits = Array.isArray(elements) && elements.length > 0 && elements.length <= 10;
  return fits ? [] : [`must have 1 to 10 items [json-pointer:${at}]`];
}

/** Rows of at most 20 cells, none of them empty, and 10,000 characters in all. */
function tableFaults(block: unknown, at: string): string[] {
  const { rows } = block as { rows?: unknown };
  if (!Array.isArray(rows) || rows.length < 1 || rows.length > 100) {
    return [`must have 1 to 100 items [json-pointer:${at}]`];
  }
  let letters = 0;
  for (const [number, row] of rows.entries()) {
    if (!Array.isArray(row) || row.length < 1 || row.length > 20) {
      return [`must have 1 to 20 items [json-pointer:${at}/${number}]`];
    }
    for (const cell of row) {
      const text = textContent(cell);
      letters += text.length;
      if (text === '') {
        return [`must be more than 0 characters [json-pointer:${at}/${number}]`];
      }
    }
  }
  return letters > 10_000 ? [`no more than 10000 characters allowed [json-pointer:${at}]`] : [];
}

interface Chart {
  title?: unknown;
  chart?: {
    type?: unknown;
    series?: { name?: unknown; data?: { label?: unknown; value?: unknown }[] }[];
    axis_config?: { categories?: unknown[]; x_label?: unknown; y_label?: unknown };
  };
}

/** docs.slack.dev/reference/block-kit/blocks/data-visualization-block, of a chart of lines. */
function chartFaults(block: unknown, at: string): string[] {
  const { title, chart } = block as Chart;
  const { type, series = [], axis_config: axes = {} } = chart ?? {};
  const { categories = [], x_label: below = '', y_label: beside = '' } = axes;
  const isShort = (text: unknown, most: number) =>
    typeof text === 'string' && text !== '' && text.length <= most;
  if (!isShort(title, 50)) return [`must be 1 to 50 characters [json-pointer:${at}/title]`];
  if (type !== 'line') return [`unsupported type [json-pointer:${at}/chart/type]`];
  const names = new Set(series.map(({ name }) => name));
  const areNamed = names.size === series.length && series.every(({ name }) => isShort(name, 20));
  if (series.length < 1 || series.length > 6 || !areNamed)
    return [`must have 1 to 6 items with names [json-pointer:${at}/chart/series]`];
  if (![below, beside].every((label) => typeof label === 'string' && label.length <= 50))
    return [`must be at most 50 characters [json-pointer:${at}/chart/axis_config]`];
  const areFit = series.every(
    ({ data = [] }) =>
      data.length >= 1 &&
      data.length <= 20 &&
      data.length === new Set(categories).size &&
      data.every(({ label, value }, index) => {
        return isShort(label, 20) && label === categories[index] && typeof value === 'number';
      }),
  );
  return areFit ? [] : [`must have a point for each category [json-pointer:${at}/chart/series]`];
}

/** Of a `raw_text`, or of a `rich_text` with its elements. */
export function textContent(cell: unknown): string {
  const { text, elements } = Object(cell) as { text?: unknown; elements?: unknown[] };
  if (typeof text === 'string') return text;
  return (Array.isArray(elements) ? elements : []).map(textContent).join('');
}

function refused(faults: string[]) {
  const messages = faults.map((fault) => `[ERROR] ${fault}`);
  return { error: 'invalid_blocks', errors: faults, response_metadata: { messages } };
}

function typeOf(block: unknown): string {
  return String((block as { type?: unknown } | null)?.type ?? '');
}

function textOf(block: unknown): string {
  return String((block as { text?: { text?: unknown } } | null)?.text?.text ?? '');
}

function fieldCount(block: unknown): number {
  const fields = (block as { fields?: unknown } | null)?.fields;
  return Array.isArray(fields) ? fields.length : 0;
}
