import type { Operation } from './operation.ts';
import { auditLogEvent } from './operations/audit-log-event.ts';
import { auditQuery } from './operations/audit-query.ts';
import { auditQueryWithPageProvider } from './operations/audit-query-with-page-provider.ts';
import { blobAttachOnDocument } from './operations/blob-attach-on-document.ts';
import { blobRemoveFromDocument } from './operations/blob-remove-from-document.ts';
import { collectionCreate } from './operations/collection-create.ts';
import { collectionGetDocumentsFromCollection } from './operations/collection-get-documents-from-collection.ts';
import { collectionRemoveFromCollection } from './operations/collection-remove-from-collection.ts';
import { collectionSuggestion } from './operations/collection-suggestion.ts';
import { contextStartWorkflow } from './operations/context-start-workflow.ts';
import { directoryCreateEntries } from './operations/directory-create-entries.ts';
import { directoryDeleteEntries } from './operations/directory-delete-entries.ts';
import { directoryEntries } from './operations/directory-entries.ts';
import { directoryReadEntries } from './operations/directory-read-entries.ts';
import { directorySuggestEntries } from './operations/directory-suggest-entries.ts';
import { directoryUpdateEntries } from './operations/directory-update-entries.ts';
import { documentAddAce } from './operations/document-add-ace.ts';
import { documentAddEntryToMultivaluedProperty } from './operations/document-add-entry-to-multivalued-property.ts';
import { documentAddFacet } from './operations/document-add-facet.ts';
import { documentAddItemToListProperty } from './operations/document-add-item-to-list-property.ts';
import { documentAddPermission } from './operations/document-add-permission.ts';
import { documentAddToCollection } from './operations/document-add-to-collection.ts';
import { documentAddToFavorites } from './operations/document-add-to-favorites.ts';
import { documentBlockPermissionInheritance } from './operations/document-block-permission-inheritance.ts';
import { documentCheckIn } from './operations/document-check-in.ts';
import { documentCheckOut } from './operations/document-check-out.ts';
import { documentCopy } from './operations/document-copy.ts';
import { documentCopySchema } from './operations/document-copy-schema.ts';
import { documentCreate } from './operations/document-create.ts';
import { documentCreateVersion } from './operations/document-create-version.ts';
import { documentDelete } from './operations/document-delete.ts';
import { documentEmptyTrash } from './operations/document-empty-trash.ts';
import { documentFetchByProperty } from './operations/document-fetch-by-property.ts';
import { documentFilter } from './operations/document-filter.ts';
import { documentFollowLifecycleTransition } from './operations/document-follow-lifecycle-transition.ts';
import { documentGetBlob } from './operations/document-get-blob.ts';
import { documentGetBlobs } from './operations/document-get-blobs.ts';
import { documentGetBlobsByProperty } from './operations/document-get-blobs-by-property.ts';
import { documentGetChild } from './operations/document-get-child.ts';
import { documentGetChildren } from './operations/document-get-children.ts';
import { documentGetLastVersion } from './operations/document-get-last-version.ts';
import { documentGetParent } from './operations/document-get-parent.ts';
import { documentGetVersions } from './operations/document-get-versions.ts';
import { documentLock } from './operations/document-lock.ts';
import { documentMove } from './operations/document-move.ts';
import { documentMoveCollectionMember } from './operations/document-move-collection-member.ts';
import { documentOrder } from './operations/document-order.ts';
import { documentPublishToSection } from './operations/document-publish-to-section.ts';
import { documentPublishToSections } from './operations/document-publish-to-sections.ts';
import { documentReload } from './operations/document-reload.ts';
import { documentRemoveAcl } from './operations/document-remove-acl.ts';
import { documentRemoveEntryOfMultivaluedProperty } from './operations/document-remove-entry-of-multivalued-property.ts';
import { documentRemoveFacet } from './operations/document-remove-facet.ts';
import { documentRemoveFromFavorites } from './operations/document-remove-from-favorites.ts';
import { documentRemoveItemFromListProperty } from './operations/document-remove-item-from-list-property.ts';
import { documentRemovePermission } from './operations/document-remove-permission.ts';
import { documentRemoveProperty } from './operations/document-remove-property.ts';
import { documentRemoveProxies } from './operations/document-remove-proxies.ts';
import { documentReplacePermission } from './operations/document-replace-permission.ts';
import { documentResetSchema } from './operations/document-reset-schema.ts';
import { documentRestoreVersion } from './operations/document-restore-version.ts';
import { documentSave } from './operations/document-save.ts';
import { documentSetBlobName } from './operations/document-set-blob-name.ts';
import { documentSetProperty } from './operations/document-set-property.ts';
import { documentSubscribe } from './operations/document-subscribe.ts';
import { documentTrash } from './operations/document-trash.ts';
import { documentUnblockPermissionInheritance } from './operations/document-unblock-permission-inheritance.ts';
import { documentUnlock } from './operations/document-unlock.ts';
import { documentUnpublishAll } from './operations/document-unpublish-all.ts';
import { documentUnsubscribe } from './operations/document-unsubscribe.ts';
import { documentUntrash } from './operations/document-untrash.ts';
import { documentUpdate } from './operations/document-update.ts';
import { favoriteFetch } from './operations/favorite-fetch.ts';
import { favoriteGetDocuments } from './operations/favorite-get-documents.ts';
import { fileManagerCreateFolder } from './operations/file-manager-create-folder.ts';
import { fileManagerImport } from './operations/file-manager-import.ts';
import { groupCreateOrUpdate } from './operations/group-create-or-update.ts';
import { log } from './operations/log.ts';
import { proxyGetSourceDocument } from './operations/proxy-get-source-document.ts';
import { repositoryGetDocument } from './operations/repository-get-document.ts';
import { repositoryPageProvider } from './operations/repository-page-provider.ts';
import { repositoryQuery } from './operations/repository-query.ts';
import { repositorySaveSession } from './operations/repository-save-session.ts';
import { servicesRemoveDocumentTags } from './operations/services-remove-document-tags.ts';
import { servicesTagDocument } from './operations/services-tag-document.ts';
import { servicesUntagDocument } from './operations/services-untag-document.ts';
import { tagSuggestion } from './operations/tag-suggestion.ts';
import { userCreateOrUpdate } from './operations/user-create-or-update.ts';
import { userGet } from './operations/user-get.ts';
import { userGetCollections } from './operations/user-get-collections.ts';
import { userGetUserWorkspace } from './operations/user-get-user-workspace.ts';
import { userGroupSuggestion } from './operations/user-group-suggestion.ts';
import { userQuery } from './operations/user-query.ts';

/** Every operation that clients can have done (§4.7). */
export const operations: readonly Operation[] = [
  auditLogEvent,
  auditQuery,
  auditQueryWithPageProvider,
  blobAttachOnDocument,
  blobRemoveFromDocument,
  collectionCreate,
  collectionGetDocumentsFromCollection,
  collectionRemoveFromCollection,
  collectionSuggestion,
  contextStartWorkflow,
  directoryCreateEntries,
  directoryDeleteEntries,
  directoryEntries,
  directoryReadEntries,
  directorySuggestEntries,
  directoryUpdateEntries,
  documentAddAce,
  documentAddEntryToMultivaluedProperty,
  documentAddFacet,
  documentAddItemToListProperty,
  documentAddPermission,
  documentAddToCollection,
  documentAddToFavorites,
  documentBlockPermissionInheritance,
  documentCopy,
  documentCopySchema,
  documentCheckIn,
  documentCheckOut,
  documentCreateVersion,
  documentCreate,
  documentDelete,
  documentEmptyTrash,
  documentFetchByProperty,
  documentFilter,
  documentFollowLifecycleTransition,
  documentGetBlob,
  documentGetBlobs,
  documentGetBlobsByProperty,
  documentGetChild,
  documentGetChildren,
  documentGetLastVersion,
  documentGetParent,
  documentLock,
  documentMoveCollectionMember,
  documentMove,
  documentOrder,
  documentReload,
  documentGetVersions,
  documentPublishToSection,
  documentPublishToSections,
  documentUnpublishAll,
  documentRemoveProxies,
  documentRemoveAcl,
  documentRemoveEntryOfMultivaluedProperty,
  documentRemoveFacet,
  documentRemoveFromFavorites,
  documentRemoveItemFromListProperty,
  documentRemovePermission,
  documentRemoveProperty,
  documentReplacePermission,
  documentResetSchema,
  documentSetBlobName,
  documentSetProperty,
  documentSubscribe,
  documentTrash,
  documentRestoreVersion,
  documentSave,
  documentUnblockPermissionInheritance,
  documentUnlock,
  documentUnsubscribe,
  documentUntrash,
  documentUpdate,
  favoriteFetch,
  favoriteGetDocuments,
  fileManagerCreateFolder,
  fileManagerImport,
  groupCreateOrUpdate,
  log,
  proxyGetSourceDocument,
  repositoryGetDocument,
  repositoryPageProvider,
  repositoryQuery,
  repositorySaveSession,
  servicesRemoveDocumentTags,
  servicesTagDocument,
  servicesUntagDocument,
  tagSuggestion,
  userGetCollections,
  userGetUserWorkspace,
  userGet,
  userCreateOrUpdate,
  userGroupSuggestion,
  userQuery,
];
