import { CircleAlert, CircleCheck } from 'lucide-react';
import { useAnswer } from '../graphql/client.ts';
import { health } from '../graphql/operations.ts';
import { Failure, Loading } from '../parts/states.tsx';
import { text, textOr } from '../texts/text.ts';
import { Diagnoses } from './diagnoses.tsx';
import { Metrics } from './metrics.tsx';

/**
 * Shows the results of the health probes and of `quire doctor`, and the server's metrics. Probes and metrics are refreshed
 * every ten seconds.
 */
export function Health() {
  const { data, error } = useAnswer(health, {}, { refetchInterval: 10_000 });
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  return (
    <div className="stack">
      <ul className="probes">
        {data.probes.entries.map(({ name, success, info, time }) => (
          <li key={name} className="card">
            <h2>
              {success ? (
                <CircleCheck size={18} className="good" aria-label={text('health.good')} />
              ) : (
                <CircleAlert size={18} className="bad" aria-label={text('health.bad')} />
              )}{' '}
              {textOr(`probe.${name}`, name)}
            </h2>
            <p className="long-text">{info}</p>
            <p className="hint">{text('health.time', { time })}</p>
          </li>
        ))}
      </ul>
      <Diagnoses />
      <Metrics samples={data.metricSamples} />
    </div>
  );
}
