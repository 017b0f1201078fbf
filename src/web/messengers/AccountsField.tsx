import type { AccountChoice } from '../../shared/contract/messengers.ts';
import { chunk } from '../application/chunks.ts';
import { LazyDetails } from '../design/LazyDetails.tsx';

const picker = chunk(async () => (await import('./AccountsPicker.tsx')).AccountsPicker);

interface AccountsFieldProps {
  choice: AccountChoice;
  onChange: (choice: AccountChoice) => void;
}

/** Which accounts the message is about: said in a line, changed once opened. */
export function AccountsField({ choice, onChange }: AccountsFieldProps) {
  return (
    <LazyDetails summary={`Comptes\u202f: ${choiceWords(choice)}`} prepare={picker.prepare}>
      {() => <picker.Part choice={choice} onChange={onChange} />}
    </LazyDetails>
  );
}

function choiceWords({ scope, chosen, includesNew }: AccountChoice): string {
  if (scope === 'all') return 'tous les comptes courants';
  const words = `${chosen.length || 'aucun'} choisi${chosen.length > 1 ? 's' : ''}`;
  return includesNew ? `${words}, et les nouveaux` : words;
}
