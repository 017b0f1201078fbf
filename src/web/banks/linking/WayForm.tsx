import { configuration } from '../../api/configuration.ts';
import { Callout } from '../../design/Callout.tsx';
import { type FileSource, ImportForm } from './ImportForm.tsx';
import { LinkForm } from './LinkForm.tsx';
import { ManualForm, type ManualSource } from './ManualForm.tsx';
import type { ListedBank, Offer } from './offers.ts';
import { PageForm, type PageSource } from './PageForm.tsx';

interface WayFormProps {
  offer: Offer;
  bank: ListedBank | null;
  isNew: boolean;
  onDone: () => void;
  /** Leads to the list of banks. */
  onSearch: () => void;
}

/** What one source asks for. */
export function WayForm({ offer, bank, isNew, onDone, onSearch }: WayFormProps) {
  return (
    <>
      {isPlayed(offer) && (
        <Callout variant="warning">Démonstration{'\u202f'}: n'entrez aucun vrai secret.</Callout>
      )}
      <FormOfKind {...{ offer, bank, isNew, onDone, onSearch }} />
    </>
  );
}

function FormOfKind({ offer, bank, isNew, onDone, onSearch }: WayFormProps) {
  const { connect } = offer;
  if (isFile(offer)) return <ImportForm offer={offer} onImported={onDone} />;
  if (isManual(offer)) return <ManualForm {...{ offer, isNew, onDone }} />;
  if (isPage(offer)) return <PageForm {...{ offer, bank, isNew, onDone, onSearch }} />;
  if (connect.kind !== 'form') return null;
  return <LinkForm {...{ offer, isNew, onLinked: onDone }} form={connect} page={connect.page} />;
}

function isPlayed({ connect }: Offer): boolean {
  const form = connect.kind === 'redirect' ? connect.access : connect;
  return (
    configuration.demoUrl !== null ||
    (form !== null && 'isDemonstration' in form && form.isDemonstration)
  );
}

function isFile(offer: Offer): offer is FileSource {
  return offer.connect.kind === 'file';
}

function isManual(offer: Offer): offer is ManualSource {
  return offer.connect.kind === 'manual';
}

function isPage(offer: Offer): offer is PageSource {
  return offer.connect.kind === 'redirect';
}
