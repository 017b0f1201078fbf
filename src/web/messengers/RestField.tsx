import { chunk } from '../application/chunks.ts';
import { LazyDetails } from '../design/LazyDetails.tsx';
import type { Draft, Values } from './draft.ts';

const picker = chunk(async () => (await import('./RestPicker.tsx')).RestPicker);

interface RestFieldProps {
  values: Values;
  onChange: (change: Draft) => void;
}

/** The days without a message: weekdays, public holidays, a pause. */
export function RestField({ values, onChange }: RestFieldProps) {
  return (
    <LazyDetails summary="Jours d'envoi, jours fériés, pause" prepare={picker.prepare}>
      {() => <picker.Part values={values} onChange={onChange} />}
    </LazyDetails>
  );
}
