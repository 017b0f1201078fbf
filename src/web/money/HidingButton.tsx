import { IconButton } from '../design/IconButton.tsx';
import { hideAmounts, useHidden } from './hiding.ts';

export function HidingButton() {
  const hidden = useHidden();
  return (
    <IconButton
      icon={hidden ? 'closedEye' : 'eye'}
      title={hidden ? 'Afficher les montants' : 'Masquer les montants'}
      onClick={() => hideAmounts(!hidden)}
    />
  );
}
