import type { Scope } from '../scope.ts';
import { type Access, createAccess } from './acls/access.ts';
import { aclsByDocument } from './acls/acls.ts';
import { eventCounts } from './audit/event-counts.ts';
import { documentLogEntries, latestLogEntries, logEntries } from './audit/log-entries.ts';
import { groupMemberships, groupsById, usersById } from './authorities/authorities.ts';
import { authorityPages } from './authorities/authority-pages.ts';
import { latestCreated } from './authorities/latest-created.ts';
import { profileByUserId } from './authorities/profiles.ts';
import { signInFacts } from './authorities/sign-in-facts.ts';
import { similarUsers } from './authorities/similar-users.ts';
import { usersByFields } from './authorities/users-by-fields.ts';
import { bulkCommandPages } from './bulk/bulk-commands.ts';
import { findCollections } from './collections/collection-search.ts';
import { collectionsOf, membersOf } from './collections/collections.ts';
import { isFavorite } from './collections/favorites.ts';
import { membershipIds } from './collections/membership-ids.ts';
import { commentOfEntity, comments, repliesSummary } from './comments/comments.ts';
import { directoryEntryByKey, directoryEntryPages } from './directories/directory-entries.ts';
import { childrenPages } from './documents/children.ts';
import { contentChecks } from './documents/content-checks.ts';
import { changeTokensById, documentById, documentByPath } from './documents/documents.ts';
import { subscriptions } from './documents/subscriptions.ts';
import { mailPages } from './mail/mails.ts';
import { jobPages } from './queue/jobs.ts';
import { providerPages } from './search/provider-loader.ts';
import { searchRecords } from './search/records.ts';
import { searchDocuments } from './search/search.ts';
import { similarTitleWords } from './search/similar-title-words.ts';
import { shareLinkPages } from './shares/share-links.ts';
import { sharedDocuments } from './shares/shared-documents.ts';
import { sharePages } from './shares/shares.ts';
import { tagLabels } from './tags/tag-labels.ts';
import { loginTokens } from './tokens/login-tokens.ts';
import { findOAuth2Clients, findOAuth2Tokens } from './tokens/oauth2.ts';
import { ownSecondFactor } from './tokens/second-factors.ts';
import { findServiceProviders } from './tokens/service-providers.ts';
import { ownSessions } from './tokens/sessions.ts';
import { uploadBatches } from './uploads/uploads.ts';
import { publicationCount } from './versions/publications.ts';
import { versionOrProxyPages } from './versions/versions-and-proxies.ts';
import { webhooksOf } from './webhooks/webhooks.ts';
import { nodeTasks } from './workflows/node-tasks.ts';
import { openTaskPages, taskById } from './workflows/tasks.ts';
import { runningWorkflowPages, workflowById } from './workflows/workflows.ts';

// The functions that create the loaders of a request, by the names under which `context.load` offers them. If a row
// does not exist, its loader returns `null` or an empty list. Loading an unreadable document throws Forbidden, and
// lists omit it. Every document in a response comes from one of these loaders, so no response can contain an unreadable
// document.
const factories = {
  acls: aclsByDocument,
  documentById,
  documentByPath,
  children: childrenPages,
  collections: collectionsOf,
  findCollections,
  members: membersOf,
  membershipIds,
  comments,
  commentOfEntity,
  repliesSummary,
  isFavorite,
  subscriptions,
  tagLabels,
  contentChecks,
  versions: (scope: Scope, access: Access) => versionOrProxyPages(scope, access, 'versions'),
  latestVersions: (scope: Scope, access: Access) => versionOrProxyPages(scope, access, 'latest'),
  proxies: (scope: Scope, access: Access) => versionOrProxyPages(scope, access, 'proxies'),
  changeTokensById,
  directoryEntryByKey,
  directoryEntryPages,
  latestCreated,
  eventCounts,
  latestLogEntries,
  logEntries,
  documentLogEntries,
  loginTokens,
  bulkCommands: bulkCommandPages,
  mails: mailPages,
  jobs: jobPages,
  webhooks: webhooksOf,
  oauth2Clients: findOAuth2Clients,
  oauth2Tokens: findOAuth2Tokens,
  serviceProviders: findServiceProviders,
  secondFactor: ownSecondFactor,
  sessions: ownSessions,
  uploadBatches,
  userById: usersById,
  groupById: groupsById,
  similarUsers,
  users: (scope: Scope) => authorityPages(scope, 'user'),
  usersByFields,
  groups: (scope: Scope) => authorityPages(scope, 'group'),
  groupMemberships,
  publicationCount,
  profileByUserId,
  providerPages,
  shareLinks: shareLinkPages,
  sharedDocuments,
  shares: sharePages,
  signInFacts,
  records: searchRecords,
  search: searchDocuments,
  similarTitleWords,
  nodeTasks,
  taskById,
  tasks: openTaskPages,
  workflowById,
  workflows: runningWorkflowPages,
} satisfies Record<string, (scope: Scope, access: Access) => unknown>;

export type Loaders = { readonly access: Access } & {
  readonly [Name in keyof typeof factories]: ReturnType<(typeof factories)[Name]>;
};

interface Origin {
  readonly scope: Scope;
  readonly access: Access;
}

/** Getters that create a loader when it is first used, because most requests use only one or two loaders. */
const lazyLoaders = Object.entries(factories).map(([name, make]) => {
  function get(this: Origin): unknown {
    const value = make(this.scope, this.access);
    Object.defineProperty(this, name, { value });
    return value;
  }
  return [name, { get }] as const;
});
const loaders = Object.defineProperties({}, Object.fromEntries(lazyLoaders));

export const createLoaders = (scope: Scope): Loaders =>
  Object.assign(Object.create(loaders), { scope, access: createAccess(scope) });
