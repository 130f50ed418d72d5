import { text } from '../texts/text.ts';

interface ChartProps {
  readonly label: string;
  readonly values: readonly number[];
  /** The times of the values, in milliseconds since 1970. */
  readonly times: readonly number[];
  readonly textOf: (value: number) => string;
}

const width = 300;
const height = 60;
const hour = 3_600_000;

/** A line chart of a metric over the last hour, scaled from 0 to its maximum. */
export function Chart({ label, values, times, textOf }: ChartProps) {
  const end = times.at(-1) ?? 0;
  const maximum = Math.max(...values, 0);
  const points = values.map((value, index) => {
    const x = width - ((end - (times[index] ?? end)) / hour) * width;
    const y = maximum === 0 ? height : height - (value / maximum) * height;
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <figure className="card chart">
      <figcaption>
        <h3>{label}</h3>
        <p className="chart-now">{textOf(values.at(-1) ?? 0)}</p>
      </figcaption>
      <svg viewBox={`0 -2 ${width} ${height + 4}`} preserveAspectRatio="none" aria-hidden="true">
        <line x1="0" x2={width} y1={height} y2={height} />
        <polyline points={points.join(' ')} />
        {points.length === 1 && <circle cx={width} cy={points[0]?.split(',')[1]} r="2" />}
      </svg>
      <p className="hint chart-foot">
        <span>{text('metrics.hourAgo')}</span>
        <span>{text('metrics.most', { value: textOf(maximum) })}</span>
      </p>
    </figure>
  );
}
