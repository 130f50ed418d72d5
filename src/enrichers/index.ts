import type { AuthorityRow } from '../loaders/authorities.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import { acls } from './acls.ts';
import { audit } from './audit.ts';
import { breadcrumb } from './breadcrumb.ts';
import { children } from './children.ts';
import { collections } from './collections.ts';
import { documentURL } from './document-url.ts';
import type { Enricher } from './enricher.ts';
import { favorites } from './favorites.ts';
import { firstAccessibleAncestor } from './first-accessible-ancestor.ts';
import { hasContent } from './has-content.ts';
import { hasFolderishChild } from './has-folderish-child.ts';
import { highlight } from './highlight.ts';
import { pendingTasks } from './pending-tasks.ts';
import { permissions } from './permissions.ts';
import { publications } from './publications.ts';
import { runnableWorkflows } from './runnable-workflows.ts';
import { runningWorkflows } from './running-workflows.ts';
import { subscribedNotifications } from './subscribed-notifications.ts';
import { subtypes } from './subtypes.ts';
import { tags } from './tags.ts';
import { userVisiblePermissions } from './user-visible-permissions.ts';
import { userprofile } from './userprofile.ts';

/** §9: every enricher, by entity type in lower case. */
export const enrichers: {
  readonly document: ReadonlyArray<Enricher<DocumentRow>>;
  readonly user: ReadonlyArray<Enricher<AuthorityRow>>;
} = {
  document: [
    acls,
    audit,
    breadcrumb,
    children,
    collections,
    documentURL,
    favorites,
    firstAccessibleAncestor,
    hasContent,
    hasFolderishChild,
    highlight,
    pendingTasks,
    permissions,
    publications,
    runnableWorkflows,
    runningWorkflows,
    subscribedNotifications,
    subtypes,
    tags,
    userVisiblePermissions,
  ],
  user: [userprofile],
};
