import { createElement } from 'react';
import type { MessageBlock } from '../../shared/contract/messages.ts';
import { tableRows } from '../../shared/message/table.ts';
import styles from './Preview.module.css';

type Banks = Extract<MessageBlock, { type: 'accounts' }>['banks'];

/** Slack's table: its first row is the heading, its amounts stand at the right. */
export function AccountTable({ banks }: { banks: Banks }) {
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
        {createElement('tbody', null, ...rows.map(drawRow))}
      </table>
    </section>
  );
}

function drawRow(cells: string[]) {
  return createElement('tr', null, ...cells.map(drawCell));
}

function drawCell(text: string) {
  return <td>{text}</td>;
}
