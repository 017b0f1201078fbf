import type { CSSProperties } from 'react';
import { balanceText, moneyText, numberText, signedMoneyText, spokenBalance } from './balance.ts';
import { useAmountsHidden } from './hiding.ts';
import { mask } from './mask.ts';

interface BalanceProps {
  /** In the currency's main unit; null when the bank did not give it. */
  balance: number | null;
  currency: string;
}

/** "1 234,56 (EUR)", or dots in its place when amounts are hidden. */
export function Balance({ balance, currency }: BalanceProps) {
  const hidden = useAmountsHidden();
  if (balance === null) return balanceText(balance, currency);
  const text = hidden ? mask : numberText(balance, currency);
  return (
    <span className="amount" data-negative={!hidden && balance < 0} style={lettersOf(text)}>
      <span aria-hidden="true">
        {text} <small>({currency})</small>
      </span>
      <Spoken amount={balance} currency={currency} />
    </span>
  );
}

interface MoneyProps {
  amount: number;
  currency: string;
}

/** A sum: "1 234,56 €". */
export function Money({ amount, currency }: MoneyProps) {
  const hidden = useAmountsHidden();
  const text = hidden ? mask : moneyText(amount, currency);
  return (
    <span className="amount" data-negative={!hidden && amount < 0} style={lettersOf(text)}>
      <span aria-hidden="true">{text}</span>
      <Spoken amount={amount} currency={currency} />
    </span>
  );
}

/** What was added or taken away: "+12,00 €". Its sign is hidden with it. */
export function Change({ amount, currency }: MoneyProps) {
  const hidden = useAmountsHidden();
  return (
    <span className="amount">
      <span aria-hidden="true">{hidden ? mask : signedMoneyText(amount, currency)}</span>
      <Spoken amount={amount} currency={currency} sign={amount > 0 ? 'plus ' : ''} />
    </span>
  );
}

/** What has little room is drawn smaller where it is long. */
function lettersOf(text: string): CSSProperties {
  return { '--letters': text.length } as CSSProperties;
}

function Spoken({ amount, currency, sign = '' }: MoneyProps & { sign?: string }) {
  const hidden = useAmountsHidden();
  return (
    <span className="unseen">
      {hidden ? `montant masqué (${currency})` : sign + spokenBalance(amount, currency)}
    </span>
  );
}
