import { type ReactNode, useId, useRef } from 'react';
import type { AccountLine, MessageBlock } from '../../../shared/contract/messages.ts';
import type { Messenger } from '../../../shared/contract/messengers.ts';
import type { MessageAccount } from '../../../shared/message/figures.ts';
import { textOf } from '../../../shared/message/render.ts';
import { parseMessage } from '../../../shared/message/variables.ts';
import { Logo } from '../../design/Logo.tsx';
import { useRequestedFocus } from '../../design/requested-focus.ts';
import { useAmountsHidden } from '../../money/hiding.ts';
import { mask } from '../../money/mask.ts';
import { maskAmounts } from '../../money/masking.ts';
import { clockWords } from '../../time/calendar.ts';
import type { Values } from '../draft.ts';
import { previewFocusName } from '../messenger-form.ts';
import { MailPreview } from './MailPreview.tsx';
import { MessageBlocks } from './MessageBlocks.tsx';
import styles from './Preview.module.css';
import { usePreview } from './use-preview.ts';

interface PreviewProps {
  messenger: Messenger;
  values: Values;
  /** Null while they are not known. */
  accounts: MessageAccount[] | null;
}

/** The message as the chat will draw it, with the figures of now. */
export function Preview({ messenger, values, accounts }: PreviewProps) {
  const id = useId();
  const group = useRef<HTMLDivElement>(null);
  useRequestedFocus(previewFocusName(messenger.id), group, 'nearest');
  const filled = usePreview(messenger, values, accounts);
  const hidden = useAmountsHidden();
  const blocks = hidden ? filled && masked(filled) : filled;
  const drawn = blocks && <MessageBlocks blocks={blocks} drawing={messenger.drawing} />;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a picture of a message is no set of fields; a section would be a landmark in each card.
    <div
      ref={group}
      role="group"
      tabIndex={-1}
      aria-labelledby={id}
      className={`stack ${styles.preview}`}
    >
      <h4 id={id}>Aperçu</h4>
      <p role="status" className="unseen">
        {blocks && filledWords(values.message)}
      </p>
      {hidden && blocks && textOf(blocks).includes(mask) && (
        <p className="note">Montants masqués à l'écran{'\u202f'}: le message envoyé les montre.</p>
      )}
      {messenger.drawing === 'mail' ? (
        <MailPreview values={values} blocks={blocks}>
          {drawn}
        </MailPreview>
      ) : (
        <PostPreview values={values}>{drawn}</PostPreview>
      )}
    </div>
  );
}

/** As chats draw what a program posts. */
function PostPreview({ values, children }: { values: Values; children: ReactNode }) {
  return (
    <div className={`${styles.message} ${styles.post}`}>
      <span className={styles.avatar}>
        <Logo />
      </span>
      <div className={`stack ${styles.body}`}>
        <p className={styles.who}>
          <b>Tirelire</b> <span>APPLI</span> <time>{clockWords(values.hour)}</time>
        </p>
        {children}
      </div>
    </div>
  );
}

/** Changes with the number of variables alone: a screen reader is not told of every letter. */
function filledWords(message: string): string {
  const parts = parseMessage(message);
  const count = parts.filter(({ kind }) => kind !== 'text' && kind !== 'unknown').length;
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

function maskedFigure<Figure extends Pick<AccountLine, 'amount' | 'change' | 'isOverdrawn'>>(
  figure: Figure,
): Figure {
  const { amount, change } = figure;
  const shown = { amount: maskAmounts(amount), change: change && maskAmounts(change) };
  return { ...figure, ...shown, isOverdrawn: false };
}
