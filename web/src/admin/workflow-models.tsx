import { useAnswer } from '../graphql/client.ts';
import { workflowModels } from '../graphql/operations.ts';
import { Failure, Loading } from '../parts/states.tsx';
import { text } from '../texts/text.ts';
import { labelText } from '../workflows/labels.ts';
import { WorkflowGraph } from '../workflows/workflow-picture.tsx';
import { Disclosed } from './disclosed.tsx';

/** The workflow models of the server, each as a picture. */
export function WorkflowModels() {
  const { data, error } = useAnswer(workflowModels, {}, { staleTime: Number.POSITIVE_INFINITY });
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  return (
    <section className="stack" aria-label={text('model.workflows')}>
      <h2>{text('model.workflows')}</h2>
      {data.workflowModels.entries.map(({ workflowModelName: name, title, graph }) => (
        <Disclosed key={name} name={labelText(title)} hint={name}>
          <WorkflowGraph title={title} graph={graph} />
        </Disclosed>
      ))}
    </section>
  );
}
