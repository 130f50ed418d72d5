import { childPath, maxPathBytes } from '../../model/names.ts';
import { type BlobShape, blobAt } from '../../model/values/document-blob.ts';
import type { Condition, Query } from '../../query/ast.ts';
import { prefixPattern } from '../../query/like.ts';
import type { Context } from '../context.ts';
import type { DocumentRow } from '../documents/document-row.ts';
import { fileEntry, type Pages, zipInTurn } from './archive.ts';
import { archiveFolder, entryName } from './archive-folder.ts';
import type { Rendition } from './rendition.ts';
import { isFolder } from './zip-exports.ts';

/** Limits which part of a folder an archive contains. */
interface Extent {
  /** The maximum number of documents. */
  readonly limit: number;
  /** The maximum depth; 1 means only the documents directly in the folder. */
  readonly maxDepth: number;
}

export const usualExtent: Extent = { limit: 100, maxDepth: 1 };

const prefixOf = (path: string): string => childPath(path, '');

/**
 * The conditions that a document is inside a folder, at most `maxDepth` levels deep. The depth is determined by the
 * number of slashes in its path.
 */
function within({ id, path }: DocumentRow, maxDepth: number): readonly Condition[] {
  if (maxDepth === 1) return [{ kind: 'compare', property: 'ecm:parentId', op: '=', value: id }];
  const pattern = prefixPattern(prefixOf(path)) + '/%'.repeat(Math.min(maxDepth, maxPathBytes));
  return [
    { kind: 'compare', property: 'ecm:ancestorId', op: '=', value: id },
    { kind: 'not', of: { kind: 'like', property: 'ecm:path', pattern, ignoresCase: false } },
  ];
}

const contentsQuery = (folder: DocumentRow, { maxDepth }: Extent): Query => ({
  select: '*',
  from: ['Document'],
  where: {
    kind: 'and',
    of: [
      ...within(folder, maxDepth),
      { kind: 'compare', property: 'ecm:isVersion', op: '=', value: false },
      { kind: 'compare', property: 'ecm:isTrashed', op: '=', value: false },
    ],
  },
  orderBy: [{ property: 'ecm:path', isAscending: true }],
});

async function* entriesIn(context: Context, folder: DocumentRow, extent: Extent): Pages {
  const page = { pageSize: extent.limit, offset: 0, maxResults: undefined, sortBy: [], sortOrder: [] };
  const { rows } = await context.load.search(contentsQuery(folder, extent), page);
  const top = archiveFolder();
  yield rows.flatMap((row) => {
    const folders = row.path.slice(prefixOf(folder.path).length).split('/').slice(0, -1);
    const blob = blobAt(context.services.model, row, '');
    return blob ? [fileEntry(context, top.below(folders), blob)] : [];
  });
}

/** Creates an archive of the main files of the readable documents in a folder. */
export const zipOfContents = (context: Context, folder: DocumentRow, extent: Extent): Promise<BlobShape> =>
  zipInTurn(context, `${entryName(folder.name || 'root')}.zip`, entriesIn(context, folder, extent));

export const containerRendition: Rendition = {
  name: 'containerDefaultRendition',
  kind: '',
  icon: 'folder',
  isVisible: false,
  isOf: isFolder,
  make: (context, folder) => zipOfContents(context, folder, usualExtent),
};
