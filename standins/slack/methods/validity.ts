/** The limits of Block Kit that a message can break: a refused list says where. */
export function checkBlocks(
  given: unknown,
): { blocks: unknown[] } | { error: string; [detail: string]: unknown } {
  const blocks = readJson(given);
  if (!Array.isArray(blocks)) return { error: 'invalid_blocks_format' };
  if (blocks.length > 50) return refused(['no more than 50 items allowed [json-pointer:/blocks]']);
  const faults = blocks.flatMap((block: unknown, index) => faultsOf(block, index));
  if (faults.length > 0) return refused(faults);
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
      const text = String((cell as { text?: unknown } | null)?.text ?? '');
      letters += text.length;
      if (typeOf(cell) === 'raw_text' && text === '') {
        return [`must be more than 0 characters [json-pointer:${at}/${number}]`];
      }
    }
  }
  return letters > 10_000 ? [`no more than 10000 characters allowed [json-pointer:${at}]`] : [];
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
