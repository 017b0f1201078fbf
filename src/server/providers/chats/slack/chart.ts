import type { Chart } from '../posting.ts';

/**
 * A chart of Slack's own: docs.slack.dev/reference/block-kit/blocks/data-visualization-block. At most
 * twenty points, two charts in a message; every label is one of the categories.
 */
export function chartBlock({ currency, points }: Chart) {
  const shown = points.slice(-20).map(({ day, value }) => ({ label: labelOf(day), value }));
  const [first, last] = [shown[0]?.label ?? '', shown.at(-1)?.label ?? ''];
  return {
    type: 'data_visualization',
    title: `Total en ${currency.slice(0, 10)}, du ${first} au ${last}`,
    chart: {
      type: 'line',
      series: [{ name: 'Total', data: shown }],
      axis_config: {
        categories: shown.map(({ label }) => label),
        x_label: 'Jour',
        y_label: currency.slice(0, 10),
      },
    },
  } as const;
}

/** 2026-09-14 → 14/09. */
function labelOf(day: string): string {
  return `${day.slice(8, 10)}/${day.slice(5, 7)}`;
}
