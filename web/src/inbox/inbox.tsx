import { Bell, CheckCheck } from 'lucide-react';
import { useTitle } from '../app/title.ts';
import { Button } from '../parts/button.tsx';
import { Empty, Failure, Loading } from '../parts/states.tsx';
import { text } from '../texts/text.ts';
import { InboxRows } from './inbox-rows.tsx';
import { markRead, useInbox } from './use-inbox.ts';

/** The screen with everything that concerns the user: mentions, replies, tasks, shares and followed changes. */
export function Inbox() {
  useTitle(text('inbox'));
  const { data, error } = useInbox();
  const entries = data?.inbox.entries;
  return (
    <>
      <header className="screen-head">
        <h1>{text('inbox')}</h1>
        <Button
          icon={CheckCheck}
          isDisabled={!data || data.inbox.unread === 0}
          onPress={() => markRead(entries ?? [])}
        >
          {text('inbox.markAllRead')}
        </Button>
      </header>
      {error && <Failure error={error} />}
      {!entries && !error && <Loading />}
      {entries?.length === 0 && (
        <Empty icon={Bell} hint={text('inbox.hint')}>
          {text('inbox.empty')}
        </Empty>
      )}
      {entries && entries.length > 0 && (
        <section className="card inbox" aria-label={text('inbox')}>
          <InboxRows entries={entries} />
        </section>
      )}
    </>
  );
}
