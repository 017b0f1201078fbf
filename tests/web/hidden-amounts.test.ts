import { describe, expect, it } from 'vitest';
import { amountText } from '../../src/shared/message/amounts.ts';
import { renderMessage } from '../../src/shared/message/render.ts';
import { maskAmounts } from '../../src/web/money/masking.ts';
import { account, dataOf } from '../shared/message/samples.ts';

describe('hidden amounts', () => {
  it('leave their currency and everything else', () => {
    expect(maskAmounts('Total 1\u202f234,56\u00a0€, -12,00\u00a0$US, 3\u00a0CHF')).toBe(
      'Total ••••\u00a0€, ••••\u00a0$US, ••••\u00a0CHF',
    );
    expect(maskAmounts('en hausse de +120,00\u00a0€ depuis le 3 mars à 07:12')).toBe(
      'en hausse de ••••\u00a0€ depuis le 3 mars à 07:12',
    );
    expect(maskAmounts('12 comptes, 2 EURATECH')).toBe('12 comptes, 2 EURATECH');
  });

  it('are in no line that points something out', () => {
    const overdrawn = [1, 2, 3, 4, 5].map(() => account({ balanceMinor: -123_456 }));
    const lines = renderMessage('{{total}}', dataOf(overdrawn)).flatMap((block) =>
      block.type === 'attention' ? block.lines.map(({ text }) => text) : [],
    );
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/1.234,56/);
    expect(lines.map(maskAmounts).filter((line) => /\d.234|,56/.test(line))).toEqual([]);
  });

  it('hide every currency', () => {
    const readable = [...Intl.supportedValuesOf('currency'), 'ZZZ'].filter((currency) =>
      /\d/.test(maskAmounts(`${amountText(-123_456, currency)}, ${amountText(7, currency)}`)),
    );
    expect(readable).toEqual([]);
  });
});
