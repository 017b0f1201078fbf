import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OfferedSource } from '../../../shared/contract/banks.ts';
import { call } from '../../api/call.ts';
import { Loaded } from '../../api/Loaded.tsx';
import { Button } from '../../design/Button.tsx';
import type { DialogProps } from '../../design/DialogButton.tsx';
import { Mark } from '../../design/Mark.tsx';
import { Sheet, SheetChoice, SheetChoices } from '../../design/Sheet.tsx';
import { initialsOf } from '../bank-cards.ts';
import { type FileSource, ImportForm } from './ImportForm.tsx';
import { type FormSource, LinkForm } from './LinkForm.tsx';
import { ManualForm, type ManualSource } from './ManualForm.tsx';

interface LinkBankProps extends DialogProps {
  /** The source of a connection that is edited; undefined: one is chosen for a new one. */
  source: string | undefined;
}

/** The ways to link a bank other than the direct one: first which, then the form that it declares. */
export function LinkBank({ source, opener, onClose }: LinkBankProps) {
  const query = useQuery({
    queryKey: ['bank-sources'],
    queryFn: ({ signal }) => call<OfferedSource[]>('GET', '/banks/sources', { signal }),
    select: (sources) => sources.filter((one) => isForm(one) || isFile(one) || isManual(one)),
    staleTime: 5 * 60_000,
  });
  const [picked, setPicked] = useState(source);
  const sources = query.data ?? [];
  const only = sources.length === 1 ? sources[0] : undefined;
  const chosen = sources.find((one) => one.source === picked) ?? only;
  return (
    <Sheet
      title={chosen?.name ?? 'Quelle banque\u202f?'}
      opener={opener}
      onClose={onClose}
      more={
        picked !== undefined &&
        source === undefined &&
        !only && <Button onClick={() => setPicked(undefined)}>Autres moyens</Button>
      }
    >
      <Loaded
        query={query}
        failed="Les banques n'ont pas pu être chargées."
        waiting={<p role="status">Chargement…</p>}
      >
        {() =>
          chosen ? (
            <Way key={chosen.source} offer={chosen} isNew={!source} onDone={onClose} />
          ) : (
            <SheetChoices>
              {sources.map((one) => (
                <SheetChoice
                  key={one.source}
                  mark={<Mark>{initialsOf(one.name)}</Mark>}
                  name={isFile(one) ? 'Importer un relevé' : one.name}
                  {...(isFile(one) && {
                    note: 'Un fichier de votre banque\u202f: CAMT.053, OFX, CSV ou Excel',
                  })}
                  {...(isManual(one) && {
                    note: "Un compte qu'aucun service ne connaît\u202f: vous tapez son solde",
                  })}
                  onChoose={() => setPicked(one.source)}
                />
              ))}
            </SheetChoices>
          )
        }
      </Loaded>
    </Sheet>
  );
}

interface WayProps {
  offer: OfferedSource;
  isNew: boolean;
  onDone: () => void;
}

function Way({ offer, isNew, onDone }: WayProps) {
  if (isFile(offer)) return <ImportForm offer={offer} onImported={onDone} />;
  if (isManual(offer)) return <ManualForm offer={offer} isNew={isNew} onDone={onDone} />;
  return isForm(offer) && <LinkForm offer={offer} isNew={isNew} onLinked={onDone} />;
}

function isFile(source: OfferedSource): source is FileSource {
  return source.connect.kind === 'file';
}

function isManual(source: OfferedSource): source is ManualSource {
  return source.connect.kind === 'manual';
}

function isForm(source: OfferedSource): source is FormSource {
  return source.connect.kind === 'form';
}
