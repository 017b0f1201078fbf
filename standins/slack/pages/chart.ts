import { escapeHtml } from '../../service/pages.ts';

/** A chart of lines, as the stand-in has let it through. */
export interface ChartBlock {
  title?: string;
  chart?: {
    series: { name: string; data: { label: string; value: number }[] }[];
    axis_config: { y_label?: string };
  };
}

const [width, height, margin] = [520, 160, 24];

/** Plainly: the lines, their highest and lowest value, the first and the last day. */
export function drawChart({ title = '', chart }: ChartBlock): string {
  const series = chart?.series ?? [];
  const values = series.flatMap(({ data }) => data.map(({ value }) => value));
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const points = (data: { value: number }[]) =>
    data
      .map(({ value }, index) => {
        const x = margin + (index * (width - 2 * margin)) / Math.max(1, data.length - 1);
        const y = height - margin - ((value - low) * (height - 2 * margin)) / (high - low || 1);
        return `${x.toFixed(1)},${y.toFixed(1)}`;
      })
      .join(' ');
  const labels = series[0]?.data.map(({ label }) => label) ?? [];
  const unit = chart?.axis_config.y_label ?? '';
  const words = `de ${amount(low)} à ${amount(high)} ${unit}, du ${labels[0]} au ${labels.at(-1)}`;
  return `<figure class="chart"><figcaption>${escapeHtml(title)}</figcaption>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(words)}">
<path d="M${margin} ${height - margin}H${width - margin}" stroke="currentColor" opacity=".3"/>
${series.map(({ data }) => `<polyline points="${points(data)}" fill="none" stroke="#1264a3" stroke-width="2.5"/>`).join('')}
</svg><span class="quiet">${escapeHtml(words)}</span></figure>`;
}

function amount(value: number): string {
  return new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 2 }).format(value);
}
