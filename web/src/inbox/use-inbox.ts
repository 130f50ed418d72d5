import { useSession } from '../app/session.ts';
import { keyOf, send, useAnswer } from '../graphql/client.ts';
import { type InboxQuery, inbox, markInboxRead, openTasks } from '../graphql/operations.ts';
import { queries } from '../graphql/queries.ts';
import { attempt } from '../parts/notices.tsx';

/** The number of milliseconds after which the counts in the navigation are read again. */
const refetchInterval = 60_000;

const options = { refetchInterval, staleTime: refetchInterval / 2 };

export type InboxEntry = InboxQuery['inbox']['entries'][number];

/** The user's inbox. It is also read again when the server reports an event that belongs in it. */
export const useInbox = () => useAnswer(inbox, {}, options);

/** The user's open tasks. */
export function useOpenTasks() {
  const { user } = useSession();
  return useAnswer(openTasks, { user: user.id }, options).data?.tasks;
}

/** Reads the inbox and the tasks again. */
export const refreshInbox = (): Promise<unknown> =>
  Promise.all([inbox, openTasks].map(({ text }) => queries.invalidateQueries({ queryKey: [text] })));

/** Marks entries as read, at once on the screen. */
export const markRead = (entries: readonly InboxEntry[]): void =>
  void attempt(async () => {
    const ids = entries.filter(({ isUnread }) => isUnread).map(({ entry }) => entry.id);
    if (ids.length === 0) return;
    const { markInboxRead: changed } = await send(markInboxRead, { entries: ids });
    queries.setQueryData<InboxQuery>(keyOf(inbox, {}), { inbox: changed });
  });
