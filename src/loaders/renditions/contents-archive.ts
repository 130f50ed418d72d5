import { type BlobShape, blobAt } from '../../model/values/document-blob.ts';
import type { Query } from '../../query/ast.ts';
import type { Context } from '../context.ts';
import type { DocumentRow } from '../documents/document-row.ts';
import { fileEntry, type Pages, zipInTurn } from './archive.ts';
import { archiveFolder, entryName } from './archive-folder.ts';
import type { Rendition } from './rendition.ts';
import { isFolder } from './zip-exports.ts';

/** How much of a folder an archive has. */
interface Extent {
  /** Documents at most. */
  readonly limit: number;
  /** Levels of folders; with 1, only what is directly in the folder. */
  readonly maxDepth: number;
}

export const usualExtent: Extent = { limit: 100, maxDepth: 1 };

const contentsQuery = (id: string, { maxDepth }: Extent): Query => ({
  select: '*',
  from: ['Document'],
  where: {
    kind: 'and',
    of: [
      { kind: 'compare', property: maxDepth === 1 ? 'ecm:parentId' : 'ecm:ancestorId', op: '=', value: id },
      { kind: 'compare', property: 'ecm:isVersion', op: '=', value: false },
      { kind: 'compare', property: 'ecm:isTrashed', op: '=', value: false },
    ],
  },
  orderBy: [{ property: 'ecm:path', isAscending: true }],
});

async function* entriesIn(context: Context, { id, path }: DocumentRow, extent: Extent): Pages {
  const { limit: pageSize, maxDepth } = extent;
  const page = { pageSize, offset: 0, maxResults: undefined, sortBy: [], sortOrder: [] };
  const { rows } = await context.load.search(contentsQuery(id, extent), page);
  const top = archiveFolder();
  yield rows.flatMap((row) => {
    const folders = row.path
      .slice(path === '/' ? 1 : path.length + 1)
      .split('/')
      .slice(0, -1);
    const blob = blobAt(context.model, row, '');
    return blob && folders.length < maxDepth ? [fileEntry(context, top.below(folders), blob)] : [];
  });
}

/** An archive of the main files in a folder that the caller may read. */
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
