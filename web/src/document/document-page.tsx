import { useEffect, useRef } from 'react';
import { Link } from 'react-aria-components';
import { Navigate, useParams } from 'react-router';
import { useShownDocument } from '../actions/subject.ts';
import { Activity } from '../activity/activity.tsx';
import { useTitle } from '../app/title.ts';
import { useAnswer } from '../graphql/client.ts';
import { useLive } from '../graphql/live.ts';
import { documentPage } from '../graphql/operations.ts';
import { noteRecent } from '../home/recent.ts';
import { documentAddress } from '../listing/address.ts';
import { useMedia } from '../parts/media.ts';
import { Loading, ScreenFailure } from '../parts/states.tsx';
import { TabLinks } from '../parts/tabs.tsx';
import { Permissions } from '../permissions/permissions.tsx';
import { text } from '../texts/text.ts';
import { Versions } from '../versions/versions.tsx';
import { Viewer } from '../viewer/viewer.tsx';
import { DocumentWorkflows } from '../workflows/document-workflows.tsx';
import { Details } from './details.tsx';
import { mayEdit, type PartProps, type Shown } from './document.ts';
import { DocumentHead } from './document-head.tsx';
import { EditForm } from './edit-form.tsx';
import { Members } from './members.tsx';

/** The tabs of the panel next to the content, in the order in which they are shown. */
const tabs = {
  '': Details,
  activity: Activity,
  versions: Versions,
  permissions: Permissions,
  workflows: DocumentWorkflows,
} as const;

type Tab = keyof typeof tabs;

const isTab = (name: string): name is Tab => Object.hasOwn(tabs, name);

/** Returns the tabs that are available for a document. */
function tabsOf({ isVersion, isProxy, contextParameters: { permissions } }: Shown): Tab[] {
  return (Object.keys(tabs) as Tab[]).filter((tab) => {
    if (tab === 'permissions') return permissions.includes('ReadSecurity') && !isVersion;
    if (tab === 'versions' || tab === 'workflows') return !isVersion && !isProxy;
    return true;
  });
}

/** Shows banners that say whether the document is a version, is a published copy, or is in the trash. */
function Banners({ document }: PartProps) {
  const { isVersion, isProxy, isTrashed, live } = document;
  const label = document.versionLabel ?? '';
  return (
    <>
      {(isVersion || isProxy) && (
        <p className="banner">
          {text(isProxy ? 'document.isPublished' : 'document.isVersion', { label })}{' '}
          {live && (
            <Link href={documentAddress(live.uid)}>
              {text(isProxy ? 'document.source' : 'document.live')}
            </Link>
          )}
        </p>
      )}
      {isTrashed && <p className="banner">{text('document.isTrashed')}</p>}
    </>
  );
}

/** The content of a document: its file or text, or the members of a collection. */
const Content = ({ document }: PartProps) =>
  document.facets.includes('Collection') ? <Members document={document} /> : <Viewer document={document} />;

/**
 * The page for a document. It shows the content, and a panel with the document's details next to it. In a narrow window,
 * the tabs are above the content, which only the first of them shows, so that the others need not be scrolled to.
 */
export function DocumentPage() {
  const { id = '', tab = '' } = useParams();
  const { data, error } = useAnswer(documentPage, { id });
  const hasRoom = useMedia('(min-width: 60rem)');
  const edited = useRef<string>(undefined);
  const document = data?.document;
  useShownDocument(document && { documents: [document] });
  useEffect(() => {
    if (document?.uid) noteRecent(document.uid);
  }, [document?.uid]);
  useLive(document?.path, () => true);
  useTitle(error?.message ?? document?.title ?? text('document'));
  if (error) return <ScreenFailure error={error} />;
  if (!document) return <Loading />;
  // A form that the user has opened stays open if somebody locks the document in the meantime.
  if (tab !== 'edit') edited.current = undefined;
  else if (mayEdit(document)) edited.current = id;
  const isEditing = edited.current === id;
  const names = tabsOf(document);
  if (!isEditing && !(isTab(tab) && names.includes(tab)))
    return <Navigate to={documentAddress(id)} replace />;
  const Panel = tabs[isTab(tab) ? tab : ''];
  const links = (
    <TabLinks
      label={text('document.parts')}
      links={names.map((name) => ({
        to: documentAddress(id, name),
        label: text(`tab.${name || 'overview'}`),
      }))}
    />
  );
  const hasContent = !document.facets.includes('Folderish');
  return (
    <article className={hasContent && !isEditing ? 'document with-content' : 'document'}>
      <DocumentHead document={document} />
      <Banners document={document} />
      {isEditing ? (
        <EditForm key={id} document={document} />
      ) : (
        <div className="document-body">
          {!hasRoom && links}
          {hasContent && (hasRoom || tab === '') && <Content key={`content ${id}`} document={document} />}
          <div className="panel">
            {hasRoom && links}
            <Panel key={id} document={document} />
          </div>
        </div>
      )}
    </article>
  );
}
