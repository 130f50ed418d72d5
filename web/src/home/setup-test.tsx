import { CircleCheck } from 'lucide-react';
import { FindingItem } from '../admin/diagnoses.tsx';
import type { DiagnosesQuery } from '../graphql/operations.ts';
import { text } from '../texts/text.ts';

interface TestResultProps {
  readonly diagnoses: DiagnosesQuery['diagnoses'];
}

/** Shows what checks of `quire doctor` have found. */
export function TestResult({ diagnoses }: TestResultProps) {
  const findings = diagnoses.flatMap((each) => each.findings);
  return (
    <div role="status" className="diagnosis">
      {findings.length === 0 ? (
        <p>
          <CircleCheck size={18} className="good" aria-hidden /> {text('diagnoses.none')}
        </p>
      ) : (
        <ul>
          {findings.map((finding) => (
            <FindingItem key={finding.problem} finding={finding} />
          ))}
        </ul>
      )}
    </div>
  );
}
