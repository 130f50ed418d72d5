import type { HealthQuery } from '../graphql/operations.ts';
import { countText, sizeText } from '../parts/time.tsx';
import { type TextKey, text } from '../texts/text.ts';
import { Chart } from './chart.tsx';

type Sample = HealthQuery['metricSamples'][number];

const millis = (value: number): string =>
  text('health.time', { time: countText(Math.round(value * 10) / 10) });
const seconds = (value: number): string =>
  text('metrics.seconds', { time: countText(Math.round(value * 10) / 10) });

const charts: ReadonlyArray<{
  readonly label: TextKey;
  readonly of: (sample: Sample) => number;
  readonly textOf: (value: number) => string;
}> = [
  { label: 'metrics.requests', of: ({ requests }) => requests, textOf: countText },
  { label: 'metrics.mean', of: ({ meanMilliseconds }) => meanMilliseconds, textOf: millis },
  { label: 'metrics.failures', of: ({ failures, refused }) => failures + refused, textOf: countText },
  { label: 'metrics.cpu', of: ({ cpuSeconds }) => cpuSeconds, textOf: seconds },
  { label: 'metrics.memory', of: ({ memoryBytes }) => memoryBytes, textOf: sizeText },
  { label: 'metrics.lag', of: ({ lagMilliseconds }) => lagMilliseconds, textOf: millis },
  { label: 'metrics.waitingJobs', of: ({ waitingJobs }) => waitingJobs, textOf: countText },
  { label: 'metrics.failedJobs', of: ({ failedJobs }) => failedJobs, textOf: countText },
];

/** Shows a chart of the last hour for each metric. */
export function Metrics({ samples }: { readonly samples: readonly Sample[] }) {
  const times = samples.map(({ at }) => Date.parse(at));
  return (
    <section aria-labelledby="metrics" className="stack">
      <h2 id="metrics">{text('metrics.title')}</h2>
      {samples.length === 0 ? (
        <p className="hint">{text('metrics.none')}</p>
      ) : (
        <div className="probes">
          {charts.map(({ label, of, textOf }) => (
            <Chart key={label} label={text(label)} values={samples.map(of)} times={times} textOf={textOf} />
          ))}
        </div>
      )}
    </section>
  );
}
