import { Ban, Play } from 'lucide-react';
import type { PartProps } from '../document/document.ts';
import { change } from '../graphql/change.ts';
import { send, useAnswer } from '../graphql/client.ts';
import { cancelWorkflow, documentWorkflows, startWorkflow } from '../graphql/operations.ts';
import { Button } from '../parts/button.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { text, textOr } from '../texts/text.ts';
import { Person } from '../values/person.tsx';
import { labelText } from './labels.ts';
import { TaskCard } from './task-card.tsx';

/** The open tasks and the workflows of a document, and buttons that start further workflows. */
export function DocumentWorkflows({ document }: PartProps) {
  const { uid, contextParameters } = document;
  const { data, error } = useAnswer(documentWorkflows, { id: uid });
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  const { tasks, workflows } = data.document;
  return (
    <div className="stack">
      {tasks.entries.length > 0 && (
        <ul className="cards" aria-label={text('tasks.open')}>
          {tasks.entries.map((task) => (
            <TaskCard key={task.id} task={task} />
          ))}
        </ul>
      )}
      <section className="card">
        <h2>{text('tab.workflows')}</h2>
        {workflows.entries.length === 0 && <p className="hint">{text('workflows.none')}</p>}
        <ul className="rows">
          {workflows.entries.map(({ id, title, state, initiator }) => (
            <li key={id}>
              <span>
                {labelText(title)} <span className="badge">{textOr(`workflow.${state}`, state)}</span>{' '}
                <span className="hint">{initiator && <Person id={initiator} />}</span>
              </span>
              {state === 'running' && (
                <Button
                  kind="quiet"
                  icon={Ban}
                  onPress={() => change(() => send(cancelWorkflow, { id }), text('done.canceled'))}
                >
                  {text('workflows.cancel')}
                </Button>
              )}
            </li>
          ))}
        </ul>
        <div className="actions">
          {contextParameters.runnableWorkflows.map(({ uid: model, title, name }) => (
            <Button
              key={model}
              icon={Play}
              onPress={() =>
                change(
                  () => send(startWorkflow, { id: uid, workflow: { model: name } }),
                  text('done.started'),
                )
              }
            >
              {text('workflows.start', { name: labelText(title) })}
            </Button>
          ))}
        </div>
      </section>
    </div>
  );
}
