import { balanceText, numberText, spokenBalance } from './balance.ts';
import { useHidden } from './hiding.ts';

/** An amount in the currency's main unit, or dots in its place when amounts are hidden. */
export function Amount({ balance, currency }: { balance: number | null; currency: string }) {
  const hidden = useHidden();
  if (balance === null) return balanceText(balance, currency);
  return (
    <>
      <span aria-hidden="true">
        {hidden ? '••••' : numberText(balance, currency)} <small>({currency})</small>
      </span>
      <span className="unseen">
        {hidden ? `montant masqué (${currency})` : spokenBalance(balance, currency)}
      </span>
    </>
  );
}
