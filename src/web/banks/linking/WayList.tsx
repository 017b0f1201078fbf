import type { OfferedSource } from '../../../shared/contract/banks.ts';
import { Avatar } from '../../design/Avatar.tsx';
import { SheetChoice, SheetChoices } from '../../design/Sheet.tsx';
import { initialsOf } from '../bank-cards.ts';
import type { ListedBank } from './offers.ts';

interface WayListProps {
  offers: OfferedSource[];
  /** The bank of which they are the ways; null: every way that there is. */
  bank: ListedBank | null;
  onChoose: (source: string) => void;
}

const needsNoService = new Set(['file', 'manual']);

/** The sources that link a bank, and what needs none of them. The file stands last. */
export function WayList({ offers, bank, onChoose }: WayListProps) {
  const listed = offers.filter(
    ({ source, connect }) =>
      !bank || needsNoService.has(connect.kind) || bank.ways.some((way) => way.source === source),
  );
  const last = listed.filter(isFile);
  return (
    <SheetChoices>
      {[...listed.filter((one) => !isFile(one)), ...last].map((offer) => (
        <WayChoice key={offer.source} offer={offer} onChoose={() => onChoose(offer.source)} />
      ))}
    </SheetChoices>
  );
}

interface WayChoiceProps {
  offer: OfferedSource;
  onChoose: () => void;
}

export function WayChoice({ offer, onChoose }: WayChoiceProps) {
  const name = isFile(offer) ? 'Importer un relevé' : offer.name;
  return (
    <SheetChoice
      avatar={<Avatar>{initialsOf(offer.name)}</Avatar>}
      name={name}
      note={noteOn(offer)}
      onChoose={onChoose}
    />
  );
}

/** Its note without the source's name, which stands above it here. */
function noteOn({ name, note }: OfferedSource): string {
  return note.startsWith(`par ${name}`) ? note.slice(`par ${name}, `.length) : note;
}

function isFile({ connect }: OfferedSource): boolean {
  return connect.kind === 'file';
}
