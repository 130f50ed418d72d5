import { useState } from 'react';
import { History } from '../activity/history.tsx';
import { useAnswer } from '../graphql/client.ts';
import { type TaskRowFragment, workflowSteps } from '../graphql/operations.ts';
import { Button } from '../parts/button.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { text } from '../texts/text.ts';

interface StepsProps {
  readonly workflow: string;
  /** The id of a document in the workflow. */
  readonly document: string;
}

function Steps({ workflow, document }: StepsProps) {
  const { data, error } = useAnswer(workflowSteps, { id: document });
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  const entries = data.document.audit.entries.filter(
    ({ extended }) => (extended as { workflowId?: string }).workflowId === workflow,
  );
  return entries.length > 0 ? <History entries={entries} /> : <p className="hint">{text('tasks.noSteps')}</p>;
}

/** Shows the earlier steps of a task's workflow, which are loaded when the user expands them. */
export function EarlierSteps({ task }: { readonly task: TaskRowFragment }) {
  const [isOpen, setOpen] = useState(false);
  const [first] = task.targetDocumentIds;
  if (!first) return null;
  return (
    <section className="earlier-steps">
      <Button kind="quiet" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
        {text(isOpen ? 'tasks.steps' : 'tasks.showSteps')}
      </Button>
      {isOpen && <Steps workflow={task.workflowInstanceId} document={first.document.uid} />}
    </section>
  );
}
