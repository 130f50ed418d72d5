import { Invalid } from '../../../errors.ts';
import { usualExtent, zipOfContents } from '../../../loaders/renditions/contents-archive.ts';
import { isFolder } from '../../../loaders/renditions/zip-exports.ts';
import { documentAt } from '../../documents/document-at.ts';
import { operation } from '../../operation.ts';
import { integer, text } from '../../params/kinds.ts';

/** The maximum number of documents. For larger folders, clients can use a paged search or `Document.Export`. */
const maxDocuments = 1_000;

export const documentGetContainerRendition = operation({
  id: 'Document.GetContainerRendition',
  label: 'Gets the folder rendition',
  category: 'Files',
  description: 'Returns an archive of the main files of the documents in the input folder.',
  example: { input: '/default-domain/workspaces' },
  takes: ['document'],
  needs: 'Read',
  isForEach: true,
  gives: 'blob',
  params: {
    reason: text.optional('The reason for the request; ignored.'),
    limit: integer.withDefault(usualExtent.limit, 'The maximum number of documents, up to 1000.'),
    maxDepth: integer.withDefault(usualExtent.maxDepth, 'The maximum number of folder levels.'),
  },
  run: async (context, document, { limit, maxDepth }) => {
    if (limit < 1 || limit > maxDocuments) throw new Invalid(`limit must be between 1 and ${maxDocuments}.`);
    if (maxDepth < 1) throw new Invalid('maxDepth must be at least 1.');
    const row = await documentAt(context, document);
    if (!isFolder(context, row)) throw new Invalid(`${row.path} is not a folder.`);
    return { ...(await zipOfContents(context, row, { limit, maxDepth })), document: row };
  },
});
