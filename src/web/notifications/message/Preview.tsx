import { Children, type ReactNode, useId } from 'react';
import type { Drawing } from '../../../shared/contract/chats.ts';
import type { MessageBlock } from '../../../shared/contract/messages.ts';
import type { Messenger } from '../../../shared/contract/messengers.ts';
import { columnLines } from '../../../shared/message/columns.ts';
import type { MessageAccount } from '../../../shared/message/figures.ts';
import { parseSpans, type Span } from '../../../shared/message/spans.ts';
import { tableRows } from '../../../shared/message/table.ts';
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
    <section aria-labelledby={id} className={`stack ${styles.preview}`}>
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
    </section>
  );
}

/** Blocks, spans, rows and cells have neither keys nor state: `Children.toArray` numbers them. */
function drawBlock(block: MessageBlock, drawing: Drawing) {
  if (block.type !== 'accounts') {
    return (
      <div data-block={block.type} className={styles[block.type]}>
        {drawSpans(parseSpans(block.text))}
      </div>
    );
  }
  return (
    <>
      {block.banks.length > 0 && drawAccounts(block.banks, drawing)}
      {block.more && (
        <p data-block="context" className={styles.context}>
          {block.more}
        </p>
      )}
    </>
  );
}

type Banks = Extract<MessageBlock, { type: 'accounts' }>['banks'];

/** As the chat draws it. */
function drawAccounts(banks: Banks, drawing: Drawing) {
  if (drawing === 'table') return <AccountTable banks={banks} />;
  if (drawing === 'columns') return <pre data-block="columns">{columnLines(banks).join('\n')}</pre>;
  return (
    <dl data-block="rows" className={styles.rows}>
      {Children.toArray(
        banks.flatMap(({ name, lines }) => [drawBank(name), ...lines.map(drawLine)]),
      )}
    </dl>
  );
}

function drawBank(name: string) {
  return <dt className={styles.bank}>{name}</dt>;
}

function drawLine({ name, amount, note }: Banks[number]['lines'][number]) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{note ? `${amount} (${note})` : amount}</dd>
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

/** Its first row is the heading, its amounts stand at the right. */
function AccountTable({ banks }: { banks: Banks }) {
  const [heading = [], ...rows] = tableRows(banks);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reached by keyboard.
    <section data-block="table" aria-label="Comptes" className={styles.table} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {heading.map((cell) => (
              <th key={cell} scope="col">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{Children.toArray(rows.map(drawRow))}</tbody>
      </table>
    </section>
  );
}

function drawRow(cells: string[]) {
  return <tr>{Children.toArray(cells.map(drawCell))}</tr>;
}

function drawCell(text: string) {
  return <td>{text}</td>;
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
    if (block.type !== 'accounts') return { ...block, text: maskAmounts(block.text) };
    const banks = block.banks.map(({ name, lines }) => ({
      name,
      lines: lines.map((line) => ({ ...line, amount: maskAmounts(line.amount) })),
    }));
    return { ...block, banks };
  });
}
