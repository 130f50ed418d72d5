import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { findDocument } from '../../loaders/documents/unchecked.ts';
import { requireSavedSearch } from '../../loaders/search/saved-searches.ts';
import { type NewSavedSearch, savedSearchDocument } from '../../model/search/saved-search.ts';
import type { StoredProperties } from '../../model/values/stored.ts';
import { requireDocumentQuery } from '../../query/read-query.ts';
import type { Scope } from '../../scope.ts';
import { localAclName } from '../../security/acl.ts';
import { setAces } from '../../security/change-acls.ts';
import { administrator } from '../../security/principal.ts';
import { changeAcls } from '../acls/change-acls.ts';
import { ensureUserWorkspace, everything } from '../authorities/user-workspaces.ts';
import { createDocument } from '../documents/create-document.ts';
import { deleteDocument } from '../documents/delete-document.ts';
import { checkProperties } from '../documents/properties.ts';
import { updateDocument } from '../documents/update-document.ts';
import { lockAncestors } from '../row-locks/lock-ancestors.ts';

/**
 * Checks a saved search and derives the type and properties of its document.
 * @param stored the properties before a change
 * @throws Invalid; Unprocessable for values that exceed their limits, which are checked before the query is parsed
 */
async function checkedDocument(scope: Scope, search: NewSavedSearch, stored?: StoredProperties) {
  const document = savedSearchDocument(scope.services.model, search);
  const { type, properties } = document;
  await checkProperties(scope, scope.services.model.schemasOf(type, []), properties, {
    xpaths: Object.keys(properties),
    stored,
  });
  if (search.query) await requireDocumentQuery(scope, search.query);
  return document;
}

const nameOf = (title: string): string => title.replace(/\p{Cc}/gu, ' ').replace(/^\s*\.{1,2}\s*$/, '_');

/**
 * Saves a search in the caller's user workspace. Only the caller gets permissions on it.
 * @throws Invalid
 */
export async function createSavedSearch(scope: Scope, search: NewSavedSearch): Promise<DocumentRow> {
  const { title, type, properties } = await checkedDocument(scope, search);
  const { id: parent } = await ensureUserWorkspace(scope);
  await lockAncestors(scope, { id: parent });
  const { id } = await createDocument(scope, { id: parent }, { name: nameOf(title), type, properties });
  const server = { ...scope, user: administrator(scope.user.id) };
  return changeAcls(server, { id }, setAces(localAclName, [everything(scope.user.id)]));
}

async function findSavedSearch(scope: Scope, id: string): Promise<DocumentRow> {
  const row = await findDocument(scope, { id });
  requireSavedSearch(scope, row, id);
  return row;
}

/**
 * Replaces the content of a saved search, whose document remains where it is.
 * @throws NotFound, Forbidden, Invalid
 */
export async function updateSavedSearch(
  scope: Scope,
  id: string,
  search: NewSavedSearch,
): Promise<DocumentRow> {
  const { properties: stored } = await findSavedSearch(scope, id);
  const { properties } = await checkedDocument(scope, search, stored);
  return updateDocument(scope, { id }, { properties });
}

/** Deletes a saved search. @throws NotFound, Forbidden */
export async function deleteSavedSearch(scope: Scope, id: string): Promise<string> {
  await findSavedSearch(scope, id);
  return deleteDocument(scope, { id });
}
