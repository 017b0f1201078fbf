import { createElement, Fragment, useId } from 'react';
import type { MessageBlock } from '../../shared/contract/messages.ts';
import type { Messenger } from '../../shared/contract/messengers.ts';
import type { MessageAccount } from '../../shared/message/figures.ts';
import { parseMessage } from '../../shared/message/variables.ts';
import { Logo } from '../application/Logo.tsx';
import type { Values } from '../messengers/draft.ts';
import { useHidden } from '../money/hiding.ts';
import { maskAmounts } from '../money/masking.ts';
import { AccountTable } from './AccountTable.tsx';
import { MrkdwnText } from './MrkdwnText.tsx';
import styles from './Preview.module.css';
import { usePreview } from './preview.ts';

interface PreviewProps {
  messenger: Messenger;
  values: Values;
  accounts: MessageAccount[];
}

/** The message as Slack will draw it, with the figures of now. */
export function Preview({ messenger, values, accounts }: PreviewProps) {
  const id = useId();
  const blocks = usePreview(messenger, values, accounts);
  const hidden = useHidden();
  const { hours, minutes } = values.hour;
  const time = [hours, minutes].map((part) => String(part).padStart(2, '0')).join(':');
  return (
    <section aria-labelledby={id} className={styles.preview}>
      <h4 id={id}>Aperçu</h4>
      <p role="status" className="unseen">
        {blocks && filledWords(values.message)}
      </p>
      <div className={styles.message}>
        <span className={styles.avatar}>
          <Logo />
        </span>
        <div className={styles.body}>
          <p className={styles.who}>
            <b>Tirelire</b> <span>APPLI</span> <time>{time}</time>
          </p>
          {blocks && <Blocks blocks={hidden ? masked(blocks) : blocks} />}
        </div>
      </div>
    </section>
  );
}

/** Blocks have no name of their own, and none keeps anything between two drawings. */
function Blocks({ blocks }: { blocks: MessageBlock[] }) {
  return createElement(Fragment, null, ...blocks.map(drawBlock));
}

function drawBlock(block: MessageBlock) {
  if (block.type !== 'accounts') {
    return (
      <div data-block={block.type} className={styles[block.type]}>
        <MrkdwnText text={block.text} />
      </div>
    );
  }
  return (
    <>
      {block.banks.length > 0 && <AccountTable banks={block.banks} />}
      {block.more && (
        <p data-block="context" className={styles.context}>
          {block.more}
        </p>
      )}
    </>
  );
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
