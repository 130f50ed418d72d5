import { Invalid } from '../../../errors.ts';
import { usualExtent, zipOfContents } from '../../../loaders/renditions/contents-archive.ts';
import { isFolder } from '../../../loaders/renditions/zip-exports.ts';
import { documentAt } from '../../documents/document-at.ts';
import { operation } from '../../operation.ts';
import { integer, text } from '../../params/kinds.ts';

/**
 * The maximum number of documents. Larger folders can be read page by page with a search, or with
 * `Document.Export`.
 */
const mostDocuments = 1_000;

export const documentGetContainerRendition = operation({
  id: 'Document.GetContainerRendition',
  label: 'Gets the folder rendition',
  category: 'Files',
  description: 'Returns an archive of the main files in the input folder.',
  example: { input: '/default-domain/workspaces' },
  takes: ['document'],
  needs: 'Read',
  isForEach: true,
  gives: 'blob',
  params: {
    reason: text.optional('Why it is asked for; it changes nothing.'),
    limit: integer.withDefault(usualExtent.limit, 'How many documents are looked at, at most 1000.'),
    maxDepth: integer.withDefault(usualExtent.maxDepth, 'How many levels of folders are looked at.'),
  },
  run: async (context, document, { limit, maxDepth }) => {
    if (limit < 1 || limit > mostDocuments) throw new Invalid(`limit: is none of 1 to ${mostDocuments}`);
    if (maxDepth < 1) throw new Invalid('maxDepth: is less than 1');
    const row = await documentAt(context, document);
    if (!isFolder(context, row)) throw new Invalid(`${row.path} is no folder`);
    return { ...(await zipOfContents(context, row, { limit, maxDepth })), document: row };
  },
});
