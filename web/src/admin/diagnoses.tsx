import { CircleAlert, CircleCheck, Info, RotateCw } from 'lucide-react';
import { useAnswer } from '../graphql/client.ts';
import { type DiagnosesQuery, diagnoses } from '../graphql/operations.ts';
import { Button } from '../parts/button.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { text, textOr } from '../texts/text.ts';

type Finding = DiagnosesQuery['diagnoses'][number]['findings'][number];

export function FindingItem({ finding: { level, problem, reason, remedy } }: { readonly finding: Finding }) {
  const isFault = level === 'fault';
  return (
    <li>
      <p className="long-text">
        {isFault ? (
          <CircleAlert size={18} className="bad" aria-label={text('diagnoses.fault')} />
        ) : (
          <Info size={18} aria-label={text('diagnoses.advice')} />
        )}{' '}
        <strong lang="en">{problem}</strong>
      </p>
      <p className="long-text" lang="en">
        {reason}
      </p>
      <p className="long-text" lang="en">
        {remedy}
      </p>
    </li>
  );
}

/** Shows what `quire doctor` finds. The checks connect to other servers, so they are run only when requested. */
export function Diagnoses() {
  const { data, error, isFetching, refetch } = useAnswer(
    diagnoses,
    {},
    { staleTime: Number.POSITIVE_INFINITY },
  );
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  const found = data.diagnoses.filter(({ findings, skipped }) => findings.length > 0 || skipped !== null);
  return (
    <section className="card" aria-labelledby="diagnoses">
      <div className="card-head">
        <h2 id="diagnoses">{text('diagnoses.title')}</h2>
        <Button icon={RotateCw} isDisabled={isFetching} onPress={() => void refetch()}>
          {text('diagnoses.again')}
        </Button>
      </div>
      {found.length === 0 && (
        <p>
          <CircleCheck size={18} className="good" aria-hidden /> {text('diagnoses.none')}
        </p>
      )}
      {found.map(({ check, findings, skipped }) => (
        <section key={check} className="diagnosis" aria-label={textOr(`doctor.${check}`, check)}>
          <h3>{textOr(`doctor.${check}`, check)}</h3>
          {skipped !== null && (
            <p className="hint" lang="en">
              {skipped}
            </p>
          )}
          <ul>
            {findings.map((finding) => (
              <FindingItem key={finding.problem} finding={finding} />
            ))}
          </ul>
        </section>
      ))}
    </section>
  );
}
