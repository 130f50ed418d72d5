import { oldRowsDeletion } from '../../db/old-rows.ts';

/** Deletes what was made of files so many days ago that no document has any more. */
export const deleteUnusedRenditions = oldRowsDeletion({
  table: 'rendition',
  key: ['source_digest', 'converter'],
  since: 'created_at',
  unless: 'EXISTS (SELECT FROM document_blob b WHERE b.digest = rendition.source_digest)',
});
