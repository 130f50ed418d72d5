import { ClipboardCheck } from 'lucide-react';
import { Link, useSearchParams } from 'react-router';
import { useSession } from '../app/session.ts';
import { useTitle } from '../app/title.ts';
import { myTasks, type TaskRowFragment } from '../graphql/operations.ts';
import { usePages } from '../graphql/pages.ts';
import { useMedia } from '../parts/media.ts';
import { More } from '../parts/more.tsx';
import { Empty, Failure, Loading } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { text } from '../texts/text.ts';
import { Person } from '../values/person.tsx';
import { labelText } from '../workflows/labels.ts';
import { TaskCard } from '../workflows/task-card.tsx';

interface TaskLinkProps {
  readonly task: TaskRowFragment;
  readonly isChosen: boolean;
}

/** A task in the list: the document, what is to be done, who started it, and until when. */
const TaskLink = ({ task, isChosen }: TaskLinkProps) => (
  <Link
    to={`/tasks?task=${task.id}`}
    replace
    className={isChosen ? 'task-link active' : 'task-link'}
    aria-current={isChosen ? 'true' : undefined}
  >
    <strong className="ellipsis">
      {task.targetDocumentIds.map(({ document }) => document.title).join(', ')}
    </strong>
    <span className="ellipsis">{labelText(task.name)}</span>
    <span className="hint ellipsis">
      <Person id={task.workflowInitiator} />
      {task.dueDate && (
        <>
          {' · '}
          <Time at={task.dueDate} />
        </>
      )}
    </span>
  </Link>
);

/** The user's open tasks: a list, and the chosen task with its document and the decision next to it. */
export function Tasks() {
  const { user } = useSession();
  useTitle(text('nav.tasks'));
  const [address] = useSearchParams();
  const hasRoom = useMedia('(min-width: 60rem)');
  const pages = usePages(myTasks, { user: user.id }, (data) => data.tasks);
  const chosen = pages.entries.find(({ id }) => id === address.get('task')) ?? pages.entries[0];
  return (
    <>
      <header className="screen-head">
        <h1>{text('nav.tasks')}</h1>
      </header>
      {pages.error && <Failure error={pages.error} />}
      {pages.isLoading && <Loading />}
      {!pages.isLoading && !chosen && (
        <Empty icon={ClipboardCheck} hint={text('tasks.hint')}>
          {text('tasks.none')}
        </Empty>
      )}
      {chosen && (
        <div className="tasks">
          <nav aria-label={text('tasks.open')} className="card task-list">
            <ul>
              {pages.entries.map((task) => (
                <li key={task.id}>
                  <TaskLink task={task} isChosen={task === chosen} />
                </li>
              ))}
            </ul>
            <More pages={pages} />
          </nav>
          <ul className="cards">
            <TaskCard key={chosen.id} task={chosen} hasDocument isOpen={hasRoom} />
          </ul>
        </div>
      )}
    </>
  );
}
