import { oldRowsDeletion } from '../../db/old-rows.ts';

/** Deletes the renditions of files that no document has used for the given number of days. */
export const deleteUnusedRenditions = oldRowsDeletion({
  table: 'rendition',
  key: ['source_digest', 'converter'],
  since: 'created_at',
  unless: 'EXISTS (SELECT FROM document_blob b WHERE b.digest = rendition.source_digest)',
});
