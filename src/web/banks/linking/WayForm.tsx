import type { BankItem, OfferedSource } from '../../../shared/contract/banks.ts';
import { configuration } from '../../api/configuration.ts';
import { Callout } from '../../design/Callout.tsx';
import { NewTabLink } from '../../design/NewTabLink.tsx';
import { CredentialsForm } from './CredentialsForm.tsx';
import { ImportForm } from './ImportForm.tsx';
import { ManualForm } from './ManualForm.tsx';
import { isFile, type ListedBank, type ManualSource, type RedirectSource } from './offers.ts';
import { RedirectForm } from './RedirectForm.tsx';

interface WayFormProps {
  offer: OfferedSource;
  bank: ListedBank | null;
  /** The connection that is edited; undefined where one is added. */
  edited: BankItem | undefined;
  onDone: () => void;
  /** Leads to the list of banks. */
  onSearch: () => void;
}

/** What one source asks for. */
export function WayForm(props: WayFormProps) {
  const { offer } = props;
  return (
    <>
      {isDemonstration(offer) && (
        <Callout variant="warning">
          Démonstration{'\u202f'}: n'entrez aucun vrai secret.
          {configuration.demoUrl && <FictitiousCredentials source={offer.source} />}
        </Callout>
      )}
      <FormOfKind {...props} />
    </>
  );
}

function FictitiousCredentials({ source }: { source: string }) {
  return (
    <>
      {' Des identifiants fictifs sont sur la '}
      <NewTabLink href={`${configuration.demoUrl}/#${source}`} className="">
        page de la démonstration
      </NewTabLink>
      .
    </>
  );
}

function FormOfKind({ offer, bank, edited, onDone, onSearch }: WayFormProps) {
  const { connect } = offer;
  const isNew = !edited;
  if (isFile(offer)) return <ImportForm {...{ offer, edited, onImported: onDone }} />;
  if (isManual(offer)) return <ManualForm {...{ offer, isNew, onDone }} />;
  if (isRedirect(offer)) return <RedirectForm {...{ offer, bank, isNew, onDone, onSearch }} />;
  if (connect.kind !== 'form') return null;
  return (
    <CredentialsForm {...{ offer, isNew, onLinked: onDone }} form={connect} page={connect.page} />
  );
}

/** What is typed by hand or read from a file is no secret. */
function isDemonstration({ connect }: OfferedSource): boolean {
  if (connect.kind === 'file' || connect.kind === 'manual') return false;
  const form = connect.kind === 'redirect' ? connect.access : connect;
  return (
    configuration.demoUrl !== null ||
    (form !== null && 'isDemonstration' in form && form.isDemonstration)
  );
}

function isManual(offer: OfferedSource): offer is ManualSource {
  return offer.connect.kind === 'manual';
}

function isRedirect(offer: OfferedSource): offer is RedirectSource {
  return offer.connect.kind === 'redirect';
}
