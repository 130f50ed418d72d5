import type { Scope } from '../scope.ts';
import { createAccess } from './access.ts';
import { aclsByDocument } from './acls.ts';
import { authorityById, groupsAround, memberships } from './authorities.ts';
import { authorityPages } from './authority-pages.ts';
import { childrenPages } from './children.ts';
import { findCollections } from './collection-search.ts';
import { collectionsOf, membersOf } from './collections.ts';
import { contentOf } from './content.ts';
import { directoryEntries, directoryEntry } from './directory-entries.ts';
import { documentById, documentByPath } from './documents.ts';
import { isFavorite } from './favorites.ts';
import { latestLogEntries, logEntries, logEntryPages } from './log-entries.ts';
import { loginTokens } from './login-tokens.ts';
import { membershipIds } from './membership-ids.ts';
import { oauth2Clients, oauth2Tokens } from './oauth2.ts';
import { profileOf } from './profiles.ts';
import { publications } from './publications.ts';
import { subscriptions } from './subscriptions.ts';
import { tagLabels } from './tag-labels.ts';
import { usersByFields } from './users-by-fields.ts';

/**
 * Every loader of a request; each answers absence with `null` or an empty list. What exists and may not be read is
 * Forbidden, and lists leave it out: documents come through here and nowhere else.
 */
export function createLoaders(scope: Scope) {
  const access = createAccess(scope);
  return {
    access,
    acls: aclsByDocument(scope),
    documentById: documentById(scope, access),
    documentByPath: documentByPath(scope, access),
    children: childrenPages(scope, access),
    collections: collectionsOf(scope, access),
    findCollections: findCollections(scope, access),
    members: membersOf(scope, access),
    membershipIds: membershipIds(scope),
    isFavorite: isFavorite(scope),
    subscriptions: subscriptions(scope),
    tagLabels: tagLabels(scope, access),
    content: contentOf(scope, access),
    directoryEntry: directoryEntry(scope),
    directoryEntries: directoryEntries(scope),
    latestLogEntries: latestLogEntries(scope),
    logEntries: logEntries(scope),
    logEntryPages: logEntryPages(scope),
    loginTokens: loginTokens(scope),
    oauth2Clients: oauth2Clients(scope),
    oauth2Tokens: oauth2Tokens(scope),
    userById: authorityById(scope, 'user'),
    groupById: authorityById(scope, 'group'),
    users: authorityPages(scope, 'user'),
    usersByFields: usersByFields(scope),
    groups: authorityPages(scope, 'group'),
    groupsAround: groupsAround(scope),
    memberships: memberships(scope),
    publications: publications(scope, access),
    profileOf: profileOf(scope, access),
  };
}

export type Loaders = ReturnType<typeof createLoaders>;
