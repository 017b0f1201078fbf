import { type RefObject, useId } from 'react';
import type { Messenger } from '../../../shared/contract/messengers.ts';
import { type AttentionKind, attentionKinds } from '../../../shared/message/attention-kinds.ts';
import type {
  MessageTransactions,
  TransactionsChoice,
} from '../../../shared/message/transactions.ts';
import { transactionsText } from '../../../shared/message/transactions-text.ts';
import { hasVariables, tellsTransactions } from '../../../shared/message/variables.ts';
import { failureText } from '../../api/failure.ts';
import { type BankData, useCachedBankDataOrNull } from '../../banks/queries.ts';
import { Button } from '../../design/Button.tsx';
import { Choice } from '../../design/Choice.tsx';
import { useAmountsHidden } from '../../money/hiding.ts';
import { maskAmounts } from '../../money/masking.ts';
import type { Draft, Values } from '../draft.ts';
import picker from '../Picker.module.css';
import { messageAccounts, messageConnection } from './figures.ts';
import { insertText } from './insertion.ts';
import styles from './MessageSettings.module.css';
import { useTransactions } from './transactions.ts';

interface MessageSettingsProps {
  messenger: Messenger;
  values: Values;
  textarea: RefObject<HTMLTextAreaElement | null>;
  onChange: (change: Draft) => void;
}

/** What the message says beside its text, and how much of the transactions it lets the chat see. */
export function MessageSettings(props: MessageSettingsProps) {
  return (
    <div className={`stack ${picker.picker}`}>
      <AttentionChoices {...props} />
      <TransactionsChoices {...props} />
    </div>
  );
}

const attentionWords: Record<AttentionKind, string> = {
  overdraft: 'Un compte à découvert',
  connection: 'Une banque à reconnecter ou silencieuse',
  consent: "La fin d'un accès, 14 et 3 jours avant",
  age: 'Un solde de plus de deux jours',
};

function AttentionChoices({ values: { attention, message }, onChange }: MessageSettingsProps) {
  const toggle = (kind: AttentionKind, isChosen: boolean) => {
    const chosen = attentionKinds.filter((one) =>
      one === kind ? isChosen : attention.includes(one),
    );
    onChange({ attention: chosen });
  };
  return (
    <fieldset>
      <legend>À signaler dans le message</legend>
      {attentionKinds.map((kind) => (
        <Choice
          key={kind}
          type="checkbox"
          label={attentionWords[kind]}
          checked={attention.includes(kind)}
          onChange={(isChosen) => toggle(kind, isChosen)}
        />
      ))}
      {!hasVariables(message) && (
        <p className="note">Un message sans variable part tel quel, sans ces lignes.</p>
      )}
    </fieldset>
  );
}

const transactionsWords: Record<TransactionsChoice, string> = {
  off: 'Aucune',
  sums: 'Leur nombre et deux sommes',
  lines: 'Et les cinq plus grandes, avec leur libellé',
};

/** Nothing is told before its owner has seen what the others will see. */
function TransactionsChoices({ messenger, values, textarea, onChange }: MessageSettingsProps) {
  const name = useId();
  const { operations: choice, message } = values;
  const variable = '{{operations}}';
  function insert() {
    const box = textarea.current;
    if (!box) return;
    const end = box.value.length;
    insertText(box, { from: end, to: end }, box.value === '' ? variable : `\n${variable}`);
  }
  return (
    <fieldset aria-describedby={`${name}-remark`}>
      <legend>Opérations depuis le dernier message</legend>
      {(['off', 'sums', 'lines'] as const).map((one) => (
        <Choice
          key={one}
          type="radio"
          name={name}
          label={transactionsWords[one]}
          checked={choice === one}
          onChange={() => onChange({ operations: one })}
        />
      ))}
      <p id={`${name}-remark`} className="note">
        Toutes les personnes qui lisent ce message verront vos opérations. Tirelire les lit dans
        l'heure qui précède l'envoi, et ne les garde pas ensuite.
      </p>
      {choice !== 'off' && !tellsTransactions(message) && (
        <p className={styles.telling}>
          <Button onClick={insert}>Ajouter {variable} au message</Button>
        </p>
      )}
      <Example {...{ messenger, values }} />
    </fieldset>
  );
}

function exampleText(
  read: MessageTransactions,
  { accounts, connections }: BankData,
  values: Values,
) {
  return transactionsText(read, 'lines', {
    accounts: messageAccounts(accounts, values.accounts),
    connections: connections.map(messageConnection),
  });
}

/** What would be told now, in both forms, read from the banks at the press of its button. */
function Example({ messenger, values }: Pick<MessageSettingsProps, 'messenger' | 'values'>) {
  const { data, error, isFetching, refetch } = useTransactions(messenger, values);
  const hidden = useAmountsHidden();
  const banks = useCachedBankDataOrNull();
  const words =
    data && (banks ? exampleText(data, banks, values) : "Vos banques n'ont pas encore été lues.");
  return (
    <div role="status" className={styles.telling}>
      <Button busy={isFetching} onClick={() => refetch()}>
        Voir ce que le message montrerait
      </Button>
      {words && <p className={styles.words}>{hidden ? maskAmounts(words) : words}</p>}
      {words && (
        <p className="note">
          Avec «{'\u202f'}
          {transactionsWords.sums}
          {'\u202f'}», la première ligne seulement.
        </p>
      )}
      {error && <p className="fault">{failureText(error)}</p>}
    </div>
  );
}
