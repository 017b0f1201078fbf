import { type Ref, type RefObject, useMemo } from 'react';
import { createPortal } from 'react-dom';
import type { MessageFault } from '../../../shared/contract/messages.ts';
import type { Messenger } from '../../../shared/contract/messengers.ts';
import { checkMessage, variablesFor } from '../../../shared/message/variables.ts';
import { useCachedBankDataOrNull } from '../../banks/queries.ts';
import { Button } from '../../design/Button.tsx';
import type { Values } from '../draft.ts';
import { messageAccounts } from './figures.ts';
import { insertText } from './insertion.ts';
import styles from './MessageTools.module.css';
import { Preview } from './Preview.tsx';
import { type ActiveOption, type MenuHandle, VariableMenu } from './VariableMenu.tsx';

interface MessageToolsProps {
  menu: Ref<MenuHandle>;
  textarea: RefObject<HTMLTextAreaElement | null>;
  messenger: Messenger;
  values: Values;
  previewBox: HTMLElement | null;
  /** How often the menu was asked for by its button. */
  asked: number;
  onActive: (active: ActiveOption | null) => void;
}

/** The menu of variables, what is wrong with those written, and the message as it will be posted. */
export function MessageTools(props: MessageToolsProps) {
  const { menu, textarea, messenger, values, previewBox, ...rest } = props;
  const known = useCachedBankDataOrNull()?.accounts;
  const { accounts: choice } = values;
  const accounts = useMemo(() => (known ? messageAccounts(known, choice) : null), [known, choice]);
  const variables = useMemo(() => variablesFor(accounts ?? []), [accounts]);
  const faults = useMemo(
    () => (accounts ? checkMessage(values.message, accounts) : []),
    [values.message, accounts],
  );
  const preview = <Preview messenger={messenger} values={values} accounts={accounts} />;
  return (
    <>
      <VariableMenu ref={menu} textarea={textarea} variables={variables} {...rest} />
      <Faults textarea={textarea} faults={faults} />
      {previewBox ? createPortal(preview, previewBox) : preview}
    </>
  );
}

interface FaultsProps extends Pick<MessageToolsProps, 'textarea'> {
  faults: readonly MessageFault[];
}

/** What keeps the text from being saved, each with the buttons that correct it. */
function Faults({ textarea, faults }: FaultsProps) {
  const replace = (fault: MessageFault, suggestion: string) => {
    if (textarea.current) insertText(textarea.current, fault, suggestion);
  };
  return (
    <div role="status" className={styles.faults}>
      {faults.map((fault) => (
        <div key={fault.from}>
          <p className="fault">{fault.message}</p>
          {fault.suggestions.map((suggestion) => (
            <Button key={suggestion} onClick={() => replace(fault, suggestion)}>
              Écrire {suggestion}
            </Button>
          ))}
        </div>
      ))}
    </div>
  );
}
