import { Children, type ReactNode, useId } from 'react';
import type { Drawing } from '../../../shared/contract/chats.ts';
import type {
  AccountsBlock,
  AttentionLine,
  MessageBlock,
  MessageLink,
} from '../../../shared/contract/messages.ts';
import type { Messenger } from '../../../shared/contract/messengers.ts';
import { columnLines } from '../../../shared/message/columns.ts';
import type { MessageAccount } from '../../../shared/message/figures.ts';
import { parseSpans, type Span } from '../../../shared/message/spans.ts';
import {
  amountCell,
  columnSides,
  type TableRow,
  tableRows,
} from '../../../shared/message/table.ts';
import { parseMessage } from '../../../shared/message/variables.ts';
import { Logo } from '../../design/Logo.tsx';
import { useHidden } from '../../money/hiding.ts';
import { maskAmounts } from '../../money/masking.ts';
import { clockWords } from '../../time/calendar.ts';
import type { Values } from '../draft.ts';
import styles from './Preview.module.css';
import { usePreview } from './use-preview.ts';

interface PreviewProps {
  messenger: Messenger;
  values: Values;
  accounts: MessageAccount[];
}

/** The message as the chat will draw it, with the figures of now. */
export function Preview({ messenger, values, accounts }: PreviewProps) {
  const id = useId();
  const blocks = usePreview(messenger, values, accounts);
  const hidden = useHidden();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a picture of a message is no set of fields; a section would be a landmark in each card.
    <div role="group" aria-labelledby={id} className={`stack ${styles.preview}`}>
      <h4 id={id}>Aperçu</h4>
      <p role="status" className="unseen">
        {blocks && filledWords(values.message)}
      </p>
      <div className={styles.message}>
        <span className={styles.avatar}>
          <Logo />
        </span>
        <div className={`stack ${styles.body}`}>
          <p className={styles.who}>
            <b>Tirelire</b> <span>APPLI</span> <time>{clockWords(values.hour)}</time>
          </p>
          {blocks &&
            Children.toArray(
              (hidden ? masked(blocks) : blocks).map((block) =>
                drawBlock(block, messenger.drawing),
              ),
            )}
        </div>
      </div>
    </div>
  );
}

/** Blocks, spans, rows and cells have neither keys nor state: `Children.toArray` numbers them. */
function drawBlock(block: MessageBlock, drawing: Drawing) {
  if (block.type === 'text' || block.type === 'context') {
    return (
      <div data-block={block.type} className={styles[block.type]}>
        {drawSpans(parseSpans(block.text))}
      </div>
    );
  }
  if (block.type === 'link') {
    return (
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
  if (drawing === 'table') return <AccountTable block={block} />;
  if (drawing === 'columns') return <pre data-block="columns">{columnLines(block).join('\n')}</pre>;
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

/** Its first row is the heading, its figures stand at the right. */
function AccountTable({ block }: { block: AccountsBlock }) {
  const [heading, ...rows] = tableRows(block);
  const sides = columnSides(block);
  return (
    // biome-ignore lint/a11y/useSemanticElements: as for the message.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reached by keyboard.
    <div role="group" data-block="table" aria-label="Comptes" className={styles.table} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {heading?.cells.map(({ text }, index) => (
              <th key={text} scope="col" data-side={sides[index]}>
                {text}
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
  return <td data-side={side}>{text}</td>;
}

/** Changes with the number of variables alone: a screen reader is not told of every letter. */
function filledWords(message: string): string {
  const count = parseMessage(message).filter(({ kind }) => kind !== 'text').length;
  if (count === 0) return '';
  return count === 1
    ? 'Aperçu mis à jour, 1 variable remplie.'
    : `Aperçu mis à jour, ${count} variables remplies.`;
}

function masked(blocks: MessageBlock[]): MessageBlock[] {
  return blocks.map((block) => {
    switch (block.type) {
      case 'text':
      case 'context':
        return { ...block, text: maskAmounts(block.text) };
      case 'attention': {
        const lines = block.lines.map((line) => ({ ...line, text: maskAmounts(line.text) }));
        return { ...block, lines };
      }
      case 'accounts': {
        const banks = block.banks.map(({ lines, subtotal, ...bank }) => ({
          ...{ ...bank, lines: lines.map(maskedFigure) },
          subtotal: subtotal && maskedFigure(subtotal),
        }));
        return { ...block, banks };
      }
      default:
        return block;
    }
  });
}

function maskedFigure<Figure extends Pick<Line, 'amount' | 'change' | 'isOverdrawn'>>(
  figure: Figure,
): Figure {
  const { amount, change } = figure;
  const shown = { amount: maskAmounts(amount), change: change && maskAmounts(change) };
  return { ...figure, ...shown, isOverdrawn: false };
}
