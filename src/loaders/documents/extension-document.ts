import type { ExtensionDocument } from '../../extension.ts';
import type { DocumentRow } from './document-row.ts';

/** A document as extensions see it. */
export const extensionDocument = (row: DocumentRow): ExtensionDocument => ({
  id: row.id,
  parentId: row.parentId,
  path: row.path,
  name: row.name,
  type: row.type,
  title: row.title,
  state: row.state,
  isVersion: row.isVersion,
  isTrashed: row.isTrashed,
  properties: row.properties as ExtensionDocument['properties'],
});
