import { useState } from 'react';
import type { BankItem, OfferedSource } from '../../../shared/contract/banks.ts';
import { QueryResult } from '../../api/QueryResult.tsx';
import { Button } from '../../design/Button.tsx';
import type { DialogProps } from '../../design/DialogButton.tsx';
import { Sheet } from '../../design/Sheet.tsx';
import { BankSearch, type Search } from './BankSearch.tsx';
import { type ListedBank, titleOfWay, useOffers } from './offers.ts';
import { WayForm } from './WayForm.tsx';
import { WayList } from './WayList.tsx';

interface LinkBankDialogProps extends DialogProps {
  /** The connection that is edited by a form; undefined: a bank is searched for a new one. */
  edited: BankItem | undefined;
}

/** Where a person stands: at the list of banks, at all the ways of one bank or of any, or at one way. */
type Step =
  | { at: 'banks' }
  | { at: 'ways'; bank: ListedBank | null }
  | { at: 'way'; source: string; bank: ListedBank | null };

/** Adds a bank: first which, then how; or edits what opens one. */
export function LinkBankDialog({ edited, opener, onClose }: LinkBankDialogProps) {
  const source = edited?.form;
  const query = useOffers();
  const [step, go] = useState<Step>(source ? { at: 'way', source, bank: null } : { at: 'banks' });
  // What was looked for is still there on the way back to the list.
  const [search, setSearch] = useState<Search>({ typed: '', country: 'FR' });
  const offers = query.data ?? [];
  const only = offers.length === 1 ? offers[0] : undefined;
  const offer = step.at === 'way' ? offers.find((one) => one.source === step.source) : only;
  const bank = step.at === 'banks' ? null : step.bank;
  const steps = { go, isEdit: edited !== undefined, isOnly: only !== undefined };
  return (
    <Sheet
      title={titleOf(step, offer)}
      opener={opener}
      onClose={onClose}
      more={<BackButton step={step} {...steps} />}
    >
      <QueryResult
        query={query}
        failed="Les banques n'ont pas pu être chargées."
        waiting={<p role="status">Chargement…</p>}
      >
        {() =>
          offer ? (
            <WayForm
              key={`${offer.source} ${bank?.name}`}
              {...{ offer, bank, edited, onDone: onClose }}
              onSearch={() => go({ at: 'banks' })}
            />
          ) : step.at === 'ways' ? (
            <WayList
              {...{ offers, bank }}
              onChoose={(chosen) => go({ at: 'way', source: chosen, bank })}
            />
          ) : (
            <BankSearch
              {...{ offers, search }}
              onSearch={setSearch}
              onChoose={(chosen, found) => go({ at: 'way', source: chosen, bank: found })}
            />
          )
        }
      </QueryResult>
    </Sheet>
  );
}

function titleOf(step: Step, offer: OfferedSource | undefined): string {
  if (offer) return (step.at !== 'banks' && step.bank?.name) || titleOfWay(offer);
  if (step.at === 'ways') return step.bank ? step.bank.name : 'Autre façon';
  return 'Quelle banque\u202f?';
}

interface BackButtonProps {
  step: Step;
  go: (step: Step) => void;
  isEdit: boolean;
  isOnly: boolean;
}

/** From one bank to its other ways, from these back to the list. */
function BackButton({ step, go, isEdit, isOnly }: BackButtonProps) {
  if (isEdit || isOnly) return null;
  if (step.at === 'ways') {
    return <Button onClick={() => go({ at: 'banks' })}>Chercher une autre banque</Button>;
  }
  const bank = step.at === 'way' ? step.bank : null;
  return <Button onClick={() => go({ at: 'ways', bank })}>Autre façon</Button>;
}
