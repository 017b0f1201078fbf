import type {
  AccountsBlock,
  MessageBlock,
  MessageLink,
} from '../../../../shared/contract/messages.ts';
import { accountLineText, type Capacity } from '../../../../shared/message/capacity.ts';
import { textOf } from '../../../../shared/message/render.ts';
import { parseSpans, type Span } from '../../../../shared/message/spans.ts';
import { type TableCell, type TableRow, tableRows } from '../../../../shared/message/table.ts';
import { bytesOf } from '../rendering.ts';

/**
 * The body of a message with its Adaptive Card, schema 1.5: adaptivecards.io/explorer. Everything
 * stands in text runs, which read no Markdown. There are never any `entities`: without them no text
 * can call anybody.
 */
export function bodyOf(text: string, blocks: readonly MessageBlock[]): object {
  const summary = text.split('\n', 1)[0]?.slice(0, 120) ?? '';
  const drawn = blocks.length > 0 ? blocks.flatMap(draw) : lines(text);
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

/** In bytes of JSON. 28 KB is the limit, of which others measured 21 to 27 as safe. */
export const capacity: Capacity = {
  measure: {
    text: (text) => bytesOf(JSON.stringify(lines(text))),
    bank: (name) => 620 + 2 * bytesOf(JSON.stringify(name)),
    // Two cells of two lines, and the line that stands for the row where there are no tables.
    account: (line) => 540 + 2 * bytesOf(JSON.stringify(accountLineText(line))),
  },
  most: 19_000,
  maxText: 3000,
  rows: 60,
};

type Block = Record<string, unknown>;

function draw(block: MessageBlock): Block[] {
  if (block.type === 'text') return lines(block.text);
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

/** A block for each line of a text: a run knows no end of line. */
function lines(text: string): Block[] {
  const all: Run[][] = [[]];
  for (const run of runsOf(parseSpans(text), {})) {
    for (const [index, piece] of run.text.split('\n').entries()) {
      if (index > 0) all.push([]);
      if (piece !== '') all.at(-1)?.push({ ...run, text: piece });
    }
  }
  return all.flatMap((runs, index) =>
    runs.length === 0 ? [] : [paragraph(runs, all[index - 1]?.length ? 'None' : 'Medium')],
  );
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
