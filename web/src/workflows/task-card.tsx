import { Eye } from 'lucide-react';
import { Fragment, type RefObject, useRef, useState } from 'react';
import { Link } from 'react-aria-components';
import { bareFieldErrors, type FieldErrors } from '../form/errors.ts';
import { withoutGaps } from '../form/values.ts';
import { refresh, send } from '../graphql/client.ts';
import { endTask, type TaskRowFragment } from '../graphql/operations.ts';
import { documentAddress } from '../listing/address.ts';
import { Button } from '../parts/button.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { notify } from '../parts/notices.tsx';
import { Time } from '../parts/time.tsx';
import { unfinished } from '../parts/unfinished.ts';
import { text } from '../texts/text.ts';
import { Person } from '../values/person.tsx';
import { EarlierSteps } from './earlier-steps.tsx';
import { labelText } from './labels.ts';
import { Opinions } from './opinions.tsx';
import { TaskDocument } from './task-document.tsx';
import { TaskForm } from './task-form.tsx';
import { TaskPicture } from './workflow-picture.tsx';

type Action = TaskRowFragment['taskInfo']['taskActions'][number];

const isCancel = ({ name }: Action): boolean => name.toLowerCase() === 'cancel';

const isReject = ({ name }: Action): boolean => name.toLowerCase() === 'reject';

/** Whether an action cancels or rejects something, so that the user has to confirm it. */
const isNegative = (action: Action): boolean => isCancel(action) || isReject(action);

/** Whether an action advances the workflow, like "Approve" but unlike "No opinion". */
const isMain = (action: Action): boolean => !isNegative(action) && action.name.toLowerCase() !== 'na';

/**
 * Returns the actions in the order of their buttons. Main actions come first; actions that need confirmation come last.
 */
const inOrder = (actions: readonly Action[]): Action[] => {
  const rank = (action: Action) => (isMain(action) ? 0 : isCancel(action) ? 3 : isReject(action) ? 2 : 1);
  return actions.toSorted((a, b) => rank(a) - rank(b));
};

/**
 * Completes a task with the values that the user has entered on its card. Returns these values and functions that
 * complete the task.
 */
function useCompletion({ id }: TaskRowFragment, card: RefObject<Element | null>) {
  const [comment, setComment] = useState('');
  const [variables, setVariables] = useState<Readonly<Record<string, unknown>>>({});
  const [errors, setErrors] = useState<FieldErrors>({});
  /** @throws Fault if the server rejects the action for a reason other than an invalid value */
  const end = async (action: string) => {
    try {
      const answer = { comment: comment || null, variables: withoutGaps(variables) };
      await send(endTask, { id, action, answer });
      notify({ kind: 'done', message: text('done.task') });
      await refresh();
    } catch (error) {
      const found = bareFieldErrors(error);
      setErrors(found);
      if (Object.keys(found).length === 0) throw error;
    }
  };
  const press = async (action: string) => {
    const open = card.current && unfinished(card.current);
    if (open) return notify({ kind: 'failed', message: open });
    await end(action).catch((error: Error) => notify({ kind: 'failed', message: error.message }));
  };
  return { comment, setComment, variables, setVariables, errors, end, press };
}

/** Shows the initiator, actors and due date of a task. */
const Assignment = ({ task: { workflowInitiator, actors, dueDate } }: { readonly task: TaskRowFragment }) => (
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
);

interface TaskCardProps {
  readonly task: TaskRowFragment;
  /** Whether the card can show the document; false if the page itself already shows it. */
  readonly hasDocument?: boolean;
  /** Whether the document is shown initially. */
  readonly isOpen?: boolean;
}

/**
 * Shows a task with its form, the opinions of other participants, and a button for each action that completes the task.
 */
export function TaskCard({ task, isOpen = false, hasDocument = false }: TaskCardProps) {
  const { name, directive, targetDocumentIds, taskInfo } = task;
  const note = (task.variables as Readonly<Record<string, string | null>>).initiatorComment;
  const card = useRef<HTMLLIElement>(null);
  const { comment, setComment, variables, setVariables, errors, end, press } = useCompletion(task, card);
  const [confirming, setConfirming] = useState<Action>();
  const [isShown, setShown] = useState(isOpen);
  const [first] = targetDocumentIds;
  const commentField = (
    <TextField label={text('tasks.comment')} value={comment} onChange={setComment} rows={2} />
  );
  const title = targetDocumentIds.map(({ document }) => document.title).join(', ');
  return (
    <li className={isShown ? 'card task with-document' : 'card task'} ref={card}>
      <div className="task-main">
        <h2>{labelText(name)}</h2>
        {directive && directive !== name && <p>{labelText(directive)}</p>}
        <Assignment task={task} />
        {note && !taskInfo.takes.includes('initiatorComment') && <blockquote>{note}</blockquote>}
        <ul className="values">
          {targetDocumentIds.map(({ document }) => (
            <li key={document.uid}>
              <Link href={documentAddress(document.uid)}>{document.title}</Link>
            </li>
          ))}
        </ul>
        {hasDocument && first && (
          <Button kind="quiet" icon={Eye} aria-expanded={isShown} onPress={() => setShown(!isShown)}>
            {text(isShown ? 'tasks.hideDocument' : 'tasks.showDocument')}
          </Button>
        )}
        <Opinions variables={task.variables} />
        <EarlierSteps task={task} />
        <TaskPicture task={task.id} />
        <TaskForm
          task={task}
          values={variables}
          errors={errors}
          onChange={(variable, value) => setVariables((known) => ({ ...known, [variable]: value }))}
        />
        {!confirming && commentField}
        <div className="actions">
          {inOrder(taskInfo.taskActions).map((action) => (
            <Button
              key={action.name}
              kind={isNegative(action) ? 'danger' : isMain(action) ? 'main' : 'plain'}
              onPress={() => (isNegative(action) ? setConfirming(action) : void press(action.name))}
            >
              {labelText(action.label)}
            </Button>
          ))}
        </div>
      </div>
      {isShown && first && <TaskDocument id={first.document.uid} />}
      {confirming && (
        <FormDialog
          title={labelText(confirming.label)}
          submit={labelText(confirming.label)}
          isDangerous
          onSubmit={() => end(confirming.name)}
          onClose={() => setConfirming(undefined)}
        >
          <p>{text(isReject(confirming) ? 'tasks.rejectQuestion' : 'tasks.cancelQuestion', { title })}</p>
          {commentField}
        </FormDialog>
      )}
    </li>
  );
}
