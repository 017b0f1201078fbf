import { type RefObject, useMemo } from 'react';
import type { Messenger } from '../../shared/contract/messengers.ts';
import { checkMessage, variablesFor } from '../../shared/message/variables.ts';
import { useKnownBankData } from '../banks/queries.ts';
import type { Values } from '../messengers/draft.ts';
import { Faults } from './Faults.tsx';
import { messageAccounts } from './figures.ts';
import { Preview } from './Preview.tsx';
import { VariableMenu } from './VariableMenu.tsx';

interface MessageToolsProps {
  textarea: RefObject<HTMLTextAreaElement | null>;
  messenger: Messenger;
  values: Values;
  /** How often the menu was asked for by its button. */
  asked: number;
}

/** The menu of variables, what is wrong with those written, and the message as it will be posted. */
export function MessageTools({ textarea, messenger, values, asked }: MessageToolsProps) {
  const { accounts: known } = useKnownBankData();
  const { accounts: choice } = values;
  const accounts = useMemo(() => messageAccounts(known, choice), [known, choice]);
  const variables = useMemo(() => variablesFor(accounts), [accounts]);
  const faults = useMemo(() => checkMessage(values.message, accounts), [values.message, accounts]);
  return (
    <>
      <VariableMenu textarea={textarea} variables={variables} asked={asked} />
      <Faults textarea={textarea} faults={faults} />
      <Preview messenger={messenger} values={values} accounts={accounts} />
    </>
  );
}
