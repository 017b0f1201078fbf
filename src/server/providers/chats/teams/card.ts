import type {
  AccountsBlock,
  MessageBlock,
  MessageLink,
} from '../../../../shared/contract/messages.ts';
import { accountLineText, type Capacity } from '../../../../shared/message/capacity.ts';
import { textOf, truncate } from '../../../../shared/message/render.ts';
import { parseSpans, type Span } from '../../../../shared/message/spans.ts';
import { type TableCell, type TableRow, tableRows } from '../../../../shared/message/table.ts';
import { bytesOf } from '../rendering.ts';

/**
 * The body of a message with its Adaptive Card, schema 1.5: adaptivecards.io/explorer. Everything
 * stands in text runs, which read no Markdown. There are never any `entities`: without them no text
 * can call anybody. A card that is too large would be accepted and never shown: its texts are drawn in
 * fewer blocks, and where that is not enough the message is cut, and says so.
 */
export function bodyOf(text: string, blocks: readonly MessageBlock[]): object {
  const summary = truncate(firstLineOf(text), 120);
  const all = blocks.length > 0 ? blocks : [{ type: 'text' as const, text }];
  for (const drawText of drawings) {
    const body = messageOf(
      summary,
      all.flatMap((block) => draw(block, drawText)),
    );
    if (bytesOf(JSON.stringify(body)) <= maxBytes) return body;
  }
  return messageOf(summary, letters(cut(textOf(all))));
}

function firstLineOf(text: string): string {
  const shown = runsBetween(text, '\n').map((runs) =>
    runs
      .map((run) => run.text)
      .join('')
      .trim(),
  );
  return shown.find((line) => line !== '') ?? '';
}

/** Of JSON. 28 KB is the limit, of which others measured 21 to 27 as safe. */
const maxBytes = 21_000;

function messageOf(summary: string, drawn: Block[]): object {
  return {
    type: 'message',
    summary,
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          ...{ type: 'AdaptiveCard', version: '1.5', msteams: { width: 'Full' } },
          fallbackText: summary,
          body: drawn,
        },
      },
    ],
  };
}

function cut(text: string): string {
  const room = maxBytes - roomForRest;
  let kept = text;
  for (;;) {
    const size = bytesOf(JSON.stringify(kept));
    if (size <= room) return kept === text ? text : `${kept}… (message coupé)`;
    kept = truncate(kept, Math.floor((kept.length * room) / size));
  }
}

/** What surrounds the text of a message, with its summary twice. */
const roomForRest = 2200;

/** In bytes of JSON, with room left for what surrounds the blocks. */
export const capacity: Capacity = {
  measure: {
    text: measureText,
    bank: (name) => 620 + 2 * bytesOf(JSON.stringify(name)),
    // Two cells of two lines, and the line that stands for the row where there are no tables.
    account: (line) => 540 + 2 * bytesOf(JSON.stringify(accountLineText(line))),
  },
  most: 19_000,
  maxText: 3000,
  rows: 60,
};

/** As the finest drawing that leaves the most of the room to the list. */
function measureText(text: string): number {
  let size = 0;
  for (const drawText of drawings) {
    size = bytesOf(JSON.stringify(drawText(text)));
    if (size <= mostOfText) break;
  }
  return size;
}

const mostOfText = 6000;

type Block = Record<string, unknown>;

function draw(block: MessageBlock, drawText: (text: string) => Block[]): Block[] {
  if (block.type === 'text') return drawText(block.text);
  if (block.type === 'context') return [paragraph([{ text: block.text, ...quiet }])];
  if (block.type === 'link') return [paragraph([linkTo(block)])];
  if (block.type === 'attention') {
    return block.lines.map(({ text, link }, index) =>
      paragraph(
        link ? [{ text: `${text} ` }, linkTo(link)] : [{ text }],
        index === 0 ? 'Medium' : 'None',
      ),
    );
  }
  return [
    ...(block.banks.length > 0 ? [table(block)] : []),
    ...(block.more ? [paragraph([{ text: block.more, ...quiet }])] : []),
  ];
}

const quiet = { isSubtle: true, size: 'Small' } as const;

function linkTo({ label, address }: MessageLink): Run {
  return { text: label, selectAction: { type: 'Action.OpenUrl', url: address } };
}

/**
 * On a phone there is room for two columns: the age of a figure stands below its account, and what
 * changed below the amount.
 */
function table(block: AccountsBlock): Block {
  const columns = [{ width: 1 }, { width: 1, horizontalCellContentAlignment: 'Right' }];
  return {
    ...{ type: 'Table', firstRowAsHeader: true, showGridLines: true, columns },
    rows: tableRows(block).map(rowOf),
    // Older clients know no table.
    fallback: paragraph([{ text: textOf([{ ...block, more: null }]) }]),
  };
}

function rowOf({ kind, cells }: TableRow): Block {
  const weight = kind === 'account' ? {} : { weight: 'Bolder' };
  const [name, amount, ...more] = cells;
  const age = more.pop();
  const [change] = more;
  // The heading of the ages has no column of its own to stand above.
  const columns = [
    [name, kind === 'heading' ? undefined : age],
    [amount, change],
  ];
  return {
    ...{ type: 'TableRow', ...(kind === 'bank' && { style: 'emphasis' }) },
    cells: columns.map(([first, below]) => ({
      type: 'TableCell',
      items: [
        ...(first?.text ? [paragraph([runOf(first, weight)])] : []),
        ...(below?.text ? [paragraph([runOf(below, quiet)], 'None')] : []),
      ],
    })),
  };
}

function runOf({ text, mark }: TableCell, style: object): Run {
  return { text, ...style, ...(mark && { color: colors[mark] }) };
}

const colors = { missing: 'Attention', old: 'Warning' };

type Run = Record<string, unknown> & { text: string };

function paragraph(runs: Run[], spacing = 'Default'): Block {
  const inlines = runs.map((run) => ({ type: 'TextRun', ...run }));
  return { type: 'RichTextBlock', spacing, inlines };
}

/** Ways to draw a text, the one with the most blocks first. The last one takes its letters alone. */
const drawings = [lines, paragraphs, letters];

/** A block for each line: not every client draws an end of line within a run. */
function lines(text: string): Block[] {
  const all = runsBetween(text, '\n');
  return all.flatMap((runs, index) =>
    runs.length === 0 ? [] : [paragraph(runs, all[index - 1]?.length ? 'None' : 'Medium')],
  );
}

function paragraphs(text: string): Block[] {
  return runsBetween(text, /\n\s*\n/).flatMap((runs) =>
    runs.length === 0 ? [] : [paragraph(runs, 'Medium')],
  );
}

function letters(text: string): Block[] {
  const shown = runsOf(parseSpans(text), {}).map((run) => run.text);
  return [paragraph([{ text: shown.join('') }], 'Medium')];
}

function runsBetween(text: string, separator: string | RegExp): Run[][] {
  const all: Run[][] = [[]];
  for (const run of runsOf(parseSpans(text), {})) {
    for (const [index, piece] of run.text.split(separator).entries()) {
      if (index > 0) all.push([]);
      if (piece !== '') all.at(-1)?.push({ ...run, text: piece });
    }
  }
  return all;
}

function runsOf(spans: readonly Span[], style: Record<string, unknown>): Run[] {
  return spans.flatMap((span) => {
    switch (span.kind) {
      case 'text':
        return [{ text: span.text, ...style }];
      case 'code':
        return [{ text: span.text, ...style, fontType: 'Monospace' }];
      case 'block':
        return [{ text: `\n${span.text}\n`, ...style, fontType: 'Monospace' }];
      case 'link': {
        const selectAction = { type: 'Action.OpenUrl', url: span.address };
        return [{ text: span.address, ...style, selectAction }];
      }
      case 'quote':
        return [...runsOf(span.children, { ...style, isSubtle: true }), { text: '\n' }];
      default:
        return runsOf(span.children, { ...style, ...styles[span.kind] });
    }
  });
}

const styles = {
  strong: { weight: 'Bolder' },
  em: { italic: true },
  s: { strikethrough: true },
};
