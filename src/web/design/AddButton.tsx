import { ActionLink } from './ActionLink.tsx';
import { Button } from './Button.tsx';

type AddButtonProps = { label?: string } & (
  | { target: string; onClick?: (event: React.MouseEvent<HTMLAnchorElement>) => void }
  | { busy: boolean; onPress: () => void }
);

/** Specification §9: an add button leads to its target, or does its own adding. */
export function AddButton({ label = 'Ajouter', ...rest }: AddButtonProps) {
  if ('target' in rest) {
    return (
      <ActionLink look="secondary" target={rest.target} onClick={rest.onClick}>
        {label}
      </ActionLink>
    );
  }
  return (
    <Button look="secondary" busy={rest.busy} onClick={rest.onPress}>
      {label}
    </Button>
  );
}
