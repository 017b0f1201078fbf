import { Children, type ReactNode } from 'react';
import type { Drawing } from '../../../shared/contract/chats.ts';
import type {
  AccountsBlock,
  AttentionLine,
  MessageBlock,
  MessageLink,
} from '../../../shared/contract/messages.ts';
import { columnLines } from '../../../shared/message/columns.ts';
import { parseSpans, type Span } from '../../../shared/message/spans.ts';
import {
  amountCell,
  columnAlignments,
  type TableRow,
  tableRows,
} from '../../../shared/message/table.ts';
import styles from './Preview.module.css';

interface MessageBlocksProps {
  blocks: MessageBlock[];
  drawing: Drawing;
}

/** A message as its chat draws it: blocks, spans, rows and cells, which have neither keys nor state. */
export function MessageBlocks({ blocks, drawing }: MessageBlocksProps) {
  return Children.toArray(blocks.map((block) => drawBlock(block, drawing)));
}

function drawBlock(block: MessageBlock, drawing: Drawing) {
  if (block.type === 'text' || block.type === 'context') {
    return (
      <div data-block={block.type} className={styles[block.type]}>
        {drawSpans(parseSpans(block.text))}
      </div>
    );
  }
  if (block.type === 'link') {
    // The foot of a mail leads back, whatever the message says.
    return drawing === 'mail' ? null : (
      <p data-block="link" className={styles.context}>
        {drawLink(block)}
      </p>
    );
  }
  if (block.type === 'attention') {
    return <div data-block="attention">{Children.toArray(block.lines.map(drawAttention))}</div>;
  }
  return (
    <>
      {block.banks.length > 0 && drawAccounts(block, drawing)}
      {block.more && (
        <p data-block="context" className={styles.context}>
          {block.more}
        </p>
      )}
    </>
  );
}

function drawAttention({ text, link }: AttentionLine) {
  return (
    <p>
      {text} {link && drawLink(link)}
    </p>
  );
}

function drawLink({ label, address }: MessageLink) {
  return (
    <a href={address} target="_blank" rel="noreferrer">
      {label}
    </a>
  );
}

/** As the chat draws it. */
function drawAccounts(block: AccountsBlock, drawing: Drawing) {
  if (drawing === 'table') return <AccountTable rows={tableRows(block)} block={block} />;
  if (drawing === 'mail')
    return <AccountTable rows={tableRows(block).map(ageBelow)} block={block} />;
  if (drawing === 'two-columns')
    return <AccountTable rows={tableRows(block).map(changeBelow)} block={block} isHalved />;
  if (drawing === 'columns') {
    return (
      // biome-ignore lint/a11y/useSemanticElements: as for the message.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reached by keyboard.
      <div role="group" aria-label="Comptes" className={styles.columns} tabIndex={0}>
        <pre data-block="columns">{columnLines(block).join('\n')}</pre>
      </div>
    );
  }
  return (
    <dl data-block="rows" className={styles.rows}>
      {Children.toArray(
        block.banks.flatMap(({ name, lines, subtotal }) => [
          drawBank(name),
          ...lines.map(drawLine),
          ...(subtotal ? [drawLine({ ...subtotal, name: 'Ensemble', age: '', isOld: false })] : []),
        ]),
      )}
    </dl>
  );
}

function drawBank(name: string) {
  return <dt className={styles.bank}>{name}</dt>;
}

type Line = AccountsBlock['banks'][number]['lines'][number];

function drawLine({ name, amount, change, age, isOverdrawn, isOld }: Line) {
  return (
    <div>
      <dt>
        {name}
        <small>{isOld ? `⚠️ ${age}` : age}</small>
      </dt>
      <dd>
        {amountCell(amount, isOverdrawn).text}
        {change && <small>{change}</small>}
      </dd>
    </div>
  );
}

function drawSpans(spans: Span[]): ReactNode {
  return Children.toArray(spans.map(drawSpan));
}

function drawSpan(span: Span): ReactNode {
  switch (span.kind) {
    case 'text':
      return span.text;
    case 'code':
      return <code>{span.text}</code>;
    case 'block':
      return <pre>{span.text}</pre>;
    case 'link':
      return (
        <a href={span.address} target="_blank" rel="noreferrer">
          {span.address}
        </a>
      );
    case 'quote':
      return <blockquote>{drawSpans(span.children)}</blockquote>;
    default: {
      const Style = span.kind;
      return <Style>{drawSpans(span.children)}</Style>;
    }
  }
}

/** On a phone a mail has room for three columns: the age of a figure stands below its account. */
function ageBelow({ kind, cells }: TableRow): TableRow {
  const [name, ...figures] = cells.slice(0, -1);
  const age = kind === 'account' && cells.at(-1)?.text;
  if (!name || !age) return { kind, cells: cells.slice(0, -1) };
  return { kind, cells: [{ ...name, text: `${name.text}\n${age}` }, ...figures] };
}

/** Teams has room for two columns: what changed stands below the amount as well. */
function changeBelow(row: TableRow): TableRow {
  const [name, amount, change] = ageBelow(row).cells;
  if (!name || !amount) return row;
  const text = change?.text ? `${amount.text}\n${change.text}` : amount.text;
  return { kind: row.kind, cells: [name, { ...amount, text }] };
}

interface AccountTableProps {
  /** The first is the heading. */
  rows: TableRow[];
  block: AccountsBlock;
  /** Its columns share its width. */
  isHalved?: boolean;
}

/** Its figures stand at the right. */
function AccountTable({ rows: [heading, ...rows], block, isHalved }: AccountTableProps) {
  const sides = columnAlignments(block);
  return (
    // biome-ignore lint/a11y/useSemanticElements: as for the message.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reached by keyboard.
    <div role="group" data-block="table" aria-label="Comptes" className={styles.table} tabIndex={0}>
      <table data-halved={isHalved}>
        <thead>
          <tr>
            {heading?.cells.map(({ text }, index) => (
              <th key={text} scope="col" data-side={sides[index]}>
                {drawLines(text)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{Children.toArray(rows.map((row) => drawRow(row, sides)))}</tbody>
      </table>
    </div>
  );
}

function drawRow({ kind, cells }: TableRow, sides: string[]) {
  return (
    <tr data-row={kind}>
      {Children.toArray(cells.map(({ text }, index) => drawCell(text, sides[index])))}
    </tr>
  );
}

function drawCell(text: string, side: string | undefined) {
  return <td data-side={side}>{drawLines(text)}</td>;
}

function drawLines(text: string) {
  const [first, below] = text.split('\n');
  return (
    <>
      {first}
      {below && <small>{below}</small>}
    </>
  );
}
