import { usePreference } from '../app/preferences.ts';
import { useSession } from '../app/session.ts';
import { useAnswer } from '../graphql/client.ts';
import { followedEvents, openTasks } from '../graphql/operations.ts';

/** The number of milliseconds after which the counts in the navigation are read again. */
const refetchInterval = 60_000;

const options = { refetchInterval, staleTime: refetchInterval / 2 };

/** The user's open tasks, and the changes in documents that the user follows, with the number of those not seen yet. */
export function useInbox() {
  const { user } = useSession();
  const seen = usePreference('seen') ?? 0;
  const tasks = useAnswer(openTasks, { user: user.id }, options).data?.tasks;
  const events = useAnswer(followedEvents, {}, options).data?.followedEvents;
  return {
    tasks: tasks?.resultsCount ?? 0,
    tasksNow: tasks?.entries,
    events,
    seen,
    changes: (events ?? []).filter(({ entry }) => entry.id > seen).length,
  };
}
