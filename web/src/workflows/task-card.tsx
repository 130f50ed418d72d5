import { Fragment, useRef, useState } from 'react';
import { Link } from 'react-aria-components';
import { bareFieldErrors, type FieldErrors } from '../form/errors.ts';
import { withoutGaps } from '../form/values.ts';
import { refresh, send } from '../graphql/client.ts';
import { endTask, type TaskRowFragment } from '../graphql/operations.ts';
import { documentAddress } from '../listing/address.ts';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/fields.tsx';
import { notify } from '../parts/notices.tsx';
import { Time } from '../parts/time.tsx';
import { unfinished } from '../parts/unfinished.ts';
import { text } from '../texts/text.ts';
import { Person } from '../values/person.tsx';
import { labelText } from './labels.ts';
import { TaskForm } from './task-form.tsx';

/** A task with its form and a button for each action that completes it. */
export function TaskCard({ task }: { readonly task: TaskRowFragment }) {
  const { id, name, directive, dueDate, actors, targetDocumentIds, workflowInitiator, taskInfo } = task;
  const note = (task.variables as Readonly<Record<string, string | null>>).initiatorComment;
  const [comment, setComment] = useState('');
  const [variables, setVariables] = useState<Readonly<Record<string, unknown>>>({});
  const [errors, setErrors] = useState<FieldErrors>({});
  const card = useRef<HTMLLIElement>(null);
  const end = async (action: string) => {
    const open = card.current && unfinished(card.current);
    if (open) return notify({ kind: 'failed', message: open });
    try {
      await send(endTask, {
        id,
        action,
        answer: { comment: comment || null, variables: withoutGaps(variables) },
      });
      notify({ kind: 'done', message: text('done.task') });
      await refresh();
    } catch (error) {
      const found = bareFieldErrors(error);
      setErrors(found);
      if (Object.keys(found).length === 0) notify({ kind: 'failed', message: (error as Error).message });
    }
  };
  return (
    <li className="card task" ref={card}>
      <h2>{labelText(name)}</h2>
      {directive && directive !== name && <p>{labelText(directive)}</p>}
      <p className="hint">
        {text('tasks.startedBy')} <Person id={workflowInitiator} /> · {text('tasks.for')}{' '}
        {actors.map((actor, index) => (
          <Fragment key={actor.id}>
            {index > 0 && ', '}
            <Person id={actor.id} />
          </Fragment>
        ))}
        {dueDate && (
          <>
            {' · '}
            {text('tasks.due')} <Time at={dueDate} />
          </>
        )}
      </p>
      {note && !taskInfo.takes.includes('initiatorComment') && <blockquote>{note}</blockquote>}
      <ul className="values">
        {targetDocumentIds.map(({ document }) => (
          <li key={document.uid}>
            <Link href={documentAddress(document.uid)}>{document.title}</Link>
          </li>
        ))}
      </ul>
      <TaskForm
        task={task}
        values={variables}
        errors={errors}
        onChange={(variable, value) => setVariables((known) => ({ ...known, [variable]: value }))}
      />
      <TextField label={text('tasks.comment')} value={comment} onChange={setComment} />
      <div className="actions">
        {taskInfo.taskActions.map((action) => (
          <Button key={action.name} onPress={() => void end(action.name)}>
            {labelText(action.label)}
          </Button>
        ))}
      </div>
    </li>
  );
}
