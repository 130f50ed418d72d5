import { ClipboardCheck } from 'lucide-react';
import { useSession } from '../app/session.ts';
import { useTitle } from '../app/title.ts';
import { myTasks } from '../graphql/operations.ts';
import { usePages } from '../graphql/pages.ts';
import { useMedia } from '../parts/media.ts';
import { More } from '../parts/more.tsx';
import { Empty, Failure, Loading } from '../parts/states.tsx';
import { text } from '../texts/text.ts';
import { TaskCard } from '../workflows/task-card.tsx';

/** Lists the user's open tasks. */
export function Tasks() {
  const { user } = useSession();
  useTitle(text('nav.tasks'));
  const hasRoom = useMedia('(min-width: 60rem)');
  const pages = usePages(myTasks, { user: user.id }, (data) => data.tasks);
  return (
    <>
      <header className="screen-head">
        <h1>{text('nav.tasks')}</h1>
      </header>
      {pages.error && <Failure error={pages.error} />}
      {pages.isLoading && <Loading />}
      {!pages.isLoading && pages.entries.length === 0 && (
        <Empty icon={ClipboardCheck} hint={text('tasks.hint')}>
          {text('tasks.none')}
        </Empty>
      )}
      <ul className="cards">
        {pages.entries.map((task, index) => (
          <TaskCard key={task.id} task={task} hasDocument isOpen={index === 0 && hasRoom} />
        ))}
      </ul>
      <More pages={pages} />
    </>
  );
}
