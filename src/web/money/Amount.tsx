import { balanceText } from './balance.ts';
import { useHidden } from './hiding.ts';

/** An amount in the currency's main unit, or dots in its place when amounts are hidden. */
export function Amount({ balance, currency }: { balance: number | null; currency: string }) {
  const hidden = useHidden();
  if (!hidden || balance === null) return balanceText(balance, currency);
  return (
    <>
      <span aria-hidden="true">••••</span>
      <span className="unseen">montant masqué</span> ({currency})
    </>
  );
}
