import { Link } from 'react-aria-components';
import { Navigate, useParams } from 'react-router';
import { Activity } from '../activity/activity.tsx';
import { useTitle } from '../app/title.ts';
import { useAnswer } from '../graphql/client.ts';
import { documentPage } from '../graphql/operations.ts';
import { documentAddress } from '../listing/address.ts';
import { Loading, ScreenFailure } from '../parts/states.tsx';
import { TabLinks } from '../parts/tabs.tsx';
import { Permissions } from '../permissions/permissions.tsx';
import { text } from '../texts/text.ts';
import { Versions } from '../versions/versions.tsx';
import { DocumentWorkflows } from '../workflows/document-workflows.tsx';
import type { Shown } from './document.ts';
import { DocumentHead } from './document-head.tsx';
import { EditForm } from './edit-form.tsx';
import { Overview } from './overview.tsx';

const tabs = {
  edit: EditForm,
  versions: Versions,
  permissions: Permissions,
  workflows: DocumentWorkflows,
  activity: Activity,
} as const;

type Tab = keyof typeof tabs;

const isTab = (name: string): name is Tab => Object.hasOwn(tabs, name);

/** The tabs that the user can open for a document, in the order in which they are shown. */
function tabsOf({ isVersion, isProxy, contextParameters: { permissions } }: Shown): Tab[] {
  const may = (permission: string) => permissions.includes(permission);
  return (Object.keys(tabs) as Tab[]).filter((tab) => {
    if (tab === 'edit') return may('WriteProperties') && !isVersion && !isProxy;
    if (tab === 'permissions') return may('ReadSecurity') && !isVersion;
    if (tab === 'versions' || tab === 'workflows') return !isVersion && !isProxy;
    return true;
  });
}

/** The page of a document with its tabs. */
export function DocumentPage() {
  const { id = '', tab } = useParams();
  const { data, error } = useAnswer(documentPage, { id });
  const document = data?.document;
  useTitle(error?.message ?? document?.title ?? text('document'));
  if (error) return <ScreenFailure error={error} />;
  if (!document) return <Loading />;
  const names = tabsOf(document);
  if (tab && !(isTab(tab) && names.includes(tab))) return <Navigate to={documentAddress(id)} replace />;
  const Part = tab && isTab(tab) ? tabs[tab] : Overview;
  return (
    <article className="document">
      <DocumentHead document={document} />
      {document.isVersion && document.versionableId && (
        <p className="banner">
          {text('document.isVersion', { label: document.versionLabel ?? '' })}{' '}
          <Link href={documentAddress(document.versionableId)}>{text('document.live')}</Link>
        </p>
      )}
      {document.isTrashed && <p className="banner">{text('document.isTrashed')}</p>}
      <TabLinks
        label={text('document.parts')}
        links={[
          { to: documentAddress(id), label: text('tab.overview') },
          ...names.map((name) => ({ to: documentAddress(id, name), label: text(`tab.${name}`) })),
        ]}
      />
      <Part key={id} document={document} />
    </article>
  );
}
