import { Ban, Play } from 'lucide-react';
import { useState } from 'react';
import type { PartProps } from '../document/document.ts';
import { change } from '../graphql/change.ts';
import { refresh, send, useAnswer } from '../graphql/client.ts';
import { cancelWorkflow, documentWorkflows, startWorkflow } from '../graphql/operations.ts';
import { Button } from '../parts/button.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { text, textOr } from '../texts/text.ts';
import { Person } from '../values/person.tsx';
import { labelText } from './labels.ts';
import { TaskCard } from './task-card.tsx';
import { WorkflowPicture } from './workflow-picture.tsx';

/** Lists the open tasks and the workflows of a document, with buttons for starting further workflows. */
export function DocumentWorkflows({ document }: PartProps) {
  const { uid, contextParameters } = document;
  const { data, error } = useAnswer(documentWorkflows, { id: uid });
  const [canceling, setCanceling] = useState<{ readonly id: string; readonly name: string }>();
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
          {workflows.entries.map(({ id, title, state, initiator }, index) => (
            <li key={id}>
              <span>
                {labelText(title)} <span className="badge">{textOr(`workflow.${state}`, state)}</span>{' '}
                <span className="hint">{initiator && <Person id={initiator} />}</span>
              </span>
              {state === 'running' && (
                <Button kind="quiet" icon={Ban} onPress={() => setCanceling({ id, name: labelText(title) })}>
                  {text('workflows.cancel')}
                </Button>
              )}
              <WorkflowPicture id={id} isOpen={index === 0} />
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
      {canceling && (
        <FormDialog
          title={text('workflows.cancelTitle')}
          submit={text('workflows.cancelTitle')}
          cancel={text('close')}
          isDangerous
          onSubmit={async () => {
            await send(cancelWorkflow, { id: canceling.id });
            await refresh();
          }}
          onClose={() => setCanceling(undefined)}
        >
          <p>{text('workflows.cancelQuestion', { name: canceling.name })}</p>
        </FormDialog>
      )}
    </div>
  );
}
