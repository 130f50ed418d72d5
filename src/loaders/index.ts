import type { Scope } from '../scope.ts';
import { type Access, createAccess } from './access.ts';
import { aclsByDocument } from './acls.ts';
import { groupsById, memberships, usersById } from './authorities.ts';
import { authorityPages } from './authority-pages.ts';
import { childrenPages } from './children.ts';
import { findCollections } from './collection-search.ts';
import { collectionsOf, membersOf } from './collections.ts';
import { contentOf } from './content.ts';
import { directoryEntries, directoryEntry } from './directory-entries.ts';
import { documentById, documentByPath, tokensById } from './documents.ts';
import { isFavorite } from './favorites.ts';
import { latestLogEntries, logEntries, logEntryPages } from './log-entries.ts';
import { loginTokens } from './login-tokens.ts';
import { membershipIds } from './membership-ids.ts';
import { oauth2Clients, oauth2Tokens } from './oauth2.ts';
import { profileOf } from './profiles.ts';
import { provided } from './provided.ts';
import { publications } from './publications.ts';
import { search } from './search.ts';
import { statesOf } from './states.ts';
import { subscriptions } from './subscriptions.ts';
import { tagLabels } from './tag-labels.ts';
import { taskById, tasks } from './tasks.ts';
import { uploads } from './uploads.ts';
import { usersByFields } from './users-by-fields.ts';
import { workflowById, workflows } from './workflows.ts';

/**
 * How every loader of a request is made; each answers absence with `null` or an empty list. What exists and may not be
 * read is Forbidden, and lists leave it out: documents come through here and nowhere else.
 */
const makers = {
  acls: aclsByDocument,
  documentById,
  documentByPath,
  children: childrenPages,
  collections: collectionsOf,
  findCollections,
  members: membersOf,
  membershipIds,
  isFavorite,
  subscriptions,
  tagLabels,
  content: contentOf,
  versions: (scope: Scope, access: Access) => statesOf(scope, access, 'versions'),
  latestVersions: (scope: Scope, access: Access) => statesOf(scope, access, 'latest'),
  proxies: (scope: Scope, access: Access) => statesOf(scope, access, 'proxies'),
  tokensById,
  directoryEntry,
  directoryEntries,
  latestLogEntries,
  logEntries,
  logEntryPages,
  loginTokens,
  oauth2Clients,
  oauth2Tokens,
  uploads,
  userById: usersById,
  groupById: groupsById,
  users: (scope: Scope) => authorityPages(scope, 'user'),
  usersByFields,
  groups: (scope: Scope) => authorityPages(scope, 'group'),
  memberships,
  publications,
  profileOf,
  provided,
  search,
  taskById,
  tasks,
  workflowById,
  workflows,
} satisfies Record<string, (scope: Scope, access: Access) => unknown>;

export type Loaders = { readonly access: Access } & {
  readonly [Name in keyof typeof makers]: ReturnType<(typeof makers)[Name]>;
};

interface Origin {
  readonly scope: Scope;
  readonly access: Access;
}

/** There are many, and most requests ask one or two of them: each is made when it is first asked for. */
const whenAsked = Object.entries(makers).map(([name, make]) => {
  function get(this: Origin): unknown {
    const value = make(this.scope, this.access);
    Object.defineProperty(this, name, { value });
    return value;
  }
  return [name, { get }] as const;
});
const loaders = Object.defineProperties({}, Object.fromEntries(whenAsked));

/** The loaders of one request. */
export const createLoaders = (scope: Scope): Loaders =>
  Object.assign(Object.create(loaders), { scope, access: createAccess(scope) });
