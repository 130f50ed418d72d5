import { Bell, Check, Clock, type LucideIcon, Star, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { usePreference } from '../app/preferences.ts';
import { useSession } from '../app/session.ts';
import { useTitle } from '../app/title.ts';
import { draftedDocuments } from '../document/drafts.ts';
import { useAnswer } from '../graphql/client.ts';
import {
  type HomeRowFragment,
  homeDocuments,
  homeFavorites,
  sharedDocuments,
} from '../graphql/operations.ts';
import { InboxRows } from '../inbox/inbox-rows.tsx';
import { useInbox, useOpenTasks } from '../inbox/use-inbox.ts';
import { addressOf, documentAddress } from '../listing/address.ts';
import { DocumentIcon } from '../listing/icon.tsx';
import { useDraggedDocument } from '../listing/moving.ts';
import { Failure, Loading } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { type TextKey, text } from '../texts/text.ts';
import { labelText } from '../workflows/labels.ts';
import { Setup } from './setup.tsx';

interface CardProps {
  readonly title: TextKey;
  /** The address of the screen with all entries. */
  readonly all?: string;
  readonly children: ReactNode;
}

const Card = ({ title, all, children }: CardProps) => (
  <section className="card home-card" aria-label={text(title)}>
    <header className="card-head">
      <h2>{text(title)}</h2>
      {all && (
        <Link to={all} className="link">
          {text('home.all')}
        </Link>
      )}
    </header>
    {children}
  </section>
);

const Nothing = ({ icon: Icon, hint }: { readonly icon: LucideIcon; readonly hint: TextKey }) => (
  <p className="hint home-nothing">
    <Icon size={18} aria-hidden /> {text(hint)}
  </p>
);

const Row = ({
  row,
  address = addressOf(row),
}: {
  readonly row: HomeRowFragment;
  readonly address?: string;
}) => (
  <li {...useDraggedDocument(row, row.facets.includes('Folderish'))}>
    <Link to={address} className="home-row" draggable={false}>
      <DocumentIcon {...row} />
      <span className="ellipsis">{row.title || text('browse.root')}</span>
      <span className="hint ellipsis">{row.path.split('/').at(-2)}</span>
    </Link>
  </li>
);

interface RowsProps {
  readonly rows: readonly HomeRowFragment[] | undefined;
  readonly error: Error | null;
  readonly empty: ReactNode;
}

function Rows({ rows, error, empty }: RowsProps) {
  if (error) return <Failure error={error} />;
  if (!rows) return <Loading />;
  if (rows.length === 0) return empty;
  return (
    <ul className="home-rows">
      {rows.map((row) => (
        <Row key={row.uid} row={row} />
      ))}
    </ul>
  );
}

/** Loads documents in the order of their ids. Those that the user can no longer read are left out. */
function useDocuments(ids: readonly string[]) {
  const { data, error } = useAnswer(homeDocuments, { ids: [...ids] }, { enabled: ids.length > 0 });
  const byId = new Map((data?.documents ?? []).flatMap((row) => (row ? [[row.uid, row] as const] : [])));
  const rows = ids.length === 0 ? [] : data && ids.flatMap((id) => byId.get(id) ?? []);
  return { rows, error };
}

function Tasks() {
  const tasksNow = useOpenTasks()?.entries;
  return (
    <Card title="home.tasks" all="/tasks">
      {!tasksNow && <Loading />}
      {tasksNow?.length === 0 && <Nothing icon={Check} hint="tasks.none" />}
      <ul className="home-rows">
        {tasksNow?.map(({ id, name, dueDate, targetDocumentIds }) => (
          <li key={id}>
            <Link to={`/tasks?task=${id}`} className="home-row">
              <span className="ellipsis">
                {labelText(name)}: {targetDocumentIds.map(({ document }) => document.title).join(', ')}
              </span>
              <span className="hint">
                <Time at={dueDate} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The newest entries of the inbox. */
function Latest() {
  const { data, error } = useInbox();
  const entries = data?.inbox.entries;
  return (
    <Card title="inbox" all="/inbox">
      {error && <Failure error={error} />}
      {!entries && !error && <Loading />}
      {entries?.length === 0 && <Nothing icon={Bell} hint="inbox.hint" />}
      {entries && entries.length > 0 && <InboxRows entries={entries.slice(0, 8)} />}
    </Card>
  );
}

function Recent() {
  const recent = usePreference('recent') ?? [];
  return (
    <Card title="home.recent">
      <Rows {...useDocuments(recent.slice(0, 8))} empty={<Nothing icon={Clock} hint="home.recentHint" />} />
    </Card>
  );
}

function Shared() {
  const { data, error } = useAnswer(sharedDocuments, {});
  return (
    <Card title="home.shared">
      <Rows
        rows={data?.sharedDocuments.entries.filter(({ path }) => path !== '/')}
        error={error}
        empty={<Nothing icon={Users} hint="home.sharedHint" />}
      />
    </Card>
  );
}

function Favorites() {
  const { data, error } = useAnswer(homeFavorites, {});
  return (
    <Card title="nav.favorites" all="/favorites">
      <Rows
        rows={data && (data.favoriteGetDocuments.page?.entries ?? [])}
        error={error}
        empty={<Nothing icon={Star} hint="favorites.hint" />}
      />
    </Card>
  );
}

/** The documents that the user has begun to change without saving. */
function Drafts() {
  const { user } = useSession();
  const { rows } = useDocuments(draftedDocuments(user.id));
  if (!rows || rows.length === 0) return null;
  return (
    <Card title="home.drafts">
      <ul className="home-rows">
        {rows.map((row) => (
          <Row key={row.uid} row={row} address={documentAddress(row.uid, 'edit')} />
        ))}
      </ul>
    </Card>
  );
}

/** The first screen: what the user has to do, what the user worked on, and what others have changed. */
export function Home() {
  useTitle(text('home'));
  return (
    <>
      <header className="screen-head">
        <h1>{text('home')}</h1>
      </header>
      <Setup />
      <div className="home">
        <Tasks />
        <Recent />
        <Latest />
        <Drafts />
        <Shared />
        <Favorites />
      </div>
    </>
  );
}
