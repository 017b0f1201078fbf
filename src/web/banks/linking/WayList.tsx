import type { ReactNode } from 'react';
import type { OfferedSource } from '../../../shared/contract/banks.ts';
import { Avatar } from '../../design/Avatar.tsx';
import { Icon, PathIcon } from '../../design/Icon.tsx';
import { SheetChoice, SheetChoices } from '../../design/Sheet.tsx';
import { initialsOf } from '../bank-cards.ts';
import { isFile, type ListedBank, titleOfWay } from './offers.ts';

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
  return (
    <SheetChoice
      avatar={<Avatar>{symbolOf(offer)}</Avatar>}
      name={titleOfWay(offer)}
      note={noteOn(offer)}
      onChoose={onChoose}
    />
  );
}

/** A service has a name to be known by; what needs none is known by what is done. */
function symbolOf(offer: OfferedSource): ReactNode {
  if (isFile(offer)) return <PathIcon path={sheetPath} />;
  return offer.connect.kind === 'manual' ? <Icon name="edit" /> : initialsOf(offer.name);
}

const sheetPath = 'M7 3h7l5 5v13H7ZM14 3v5h5M10 12h6M10 16h6';

/** Its note without the source's name, which stands above it here. */
function noteOn({ name, note }: OfferedSource): string {
  return note.startsWith(`par ${name}`) ? note.slice(`par ${name}, `.length) : note;
}
