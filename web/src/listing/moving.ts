import { type DropItem, isTextDropItem, type Key, useDragAndDrop } from 'react-aria-components';
import { send } from '../graphql/client.ts';
import { moveDocument, type RowFragment } from '../graphql/operations.ts';
import { text } from '../texts/text.ts';
import { droppedFiles } from '../uploads/dropped.ts';
import type { DroppedFile } from '../uploads/uploads.ts';
import { rowsOf, withEach } from './selection.ts';
import { parentPath } from './target.ts';

/** The drag type of documents in this console. Files that are dragged from the computer do not have it. */
const dragType = 'application/x-quire-document';

type Dragged = Pick<RowFragment, 'uid' | 'title' | 'path'>;

/** Moves the dropped documents into a folder. A notification lists the documents that could not be moved. */
async function moveDropped(items: readonly DropItem[], target: string): Promise<void> {
  const documents = items.filter(isTextDropItem).filter(({ types }) => types.has(dragType));
  const rows = await Promise.all(
    documents.map(async (item) => JSON.parse(await item.getText(dragType)) as Dragged),
  );
  if (rows.length > 0)
    await withEach(
      rows,
      ({ uid }) => send(moveDocument, { id: uid, target }),
      text('done.moved'),
      ({ uid, path }) => send(moveDocument, { id: uid, target: parentPath(path) }),
    );
}

/**
 * Drag-and-drop hooks for the folder tree: documents that are dropped on a folder are moved into it. The keys of the
 * tree are paths.
 * @param isFolder returns whether a key belongs to a folder. Other rows do not accept drops.
 */
export const useFolderDrops = (isFolder: (key: Key) => boolean) =>
  useDragAndDrop({
    acceptedDragTypes: [dragType],
    getDropOperation: () => 'move',
    shouldAcceptItemDrop: ({ key }) => isFolder(key),
    onItemDrop: ({ items, target }) => void moveDropped(items, String(target.key)),
  }).dragAndDropHooks;

/**
 * Drag-and-drop hooks for a table of documents. Users can drag rows to folders in the table or in the folder tree.
 * @param onFiles receives files that are dropped from the computer, and the folder on whose row they were dropped, if
 * any; absent if the user cannot add documents to this list
 */
export function useRowDrags(
  entries: readonly RowFragment[],
  onFiles?: (files: readonly DroppedFile[], into?: RowFragment) => void,
) {
  const rowOf = (key: unknown) => entries.find(({ uid }) => uid === key);
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) =>
      rowsOf(entries, new Set(keys)).map(({ uid, title, path }) => ({
        [dragType]: JSON.stringify({ uid, title, path }),
        'text/plain': title,
      })),
    acceptedDragTypes: onFiles ? 'all' : [dragType],
    getDropOperation: (target, types) =>
      types.has(dragType) ? (target.type === 'item' ? 'move' : 'cancel') : 'copy',
    shouldAcceptItemDrop: ({ key }, types) =>
      (types.has(dragType) || onFiles !== undefined) && (rowOf(key)?.facets.includes('Folderish') ?? false),
    onItemDrop: ({ items, target }) => {
      const folder = rowOf(target.key);
      if (!folder) return;
      void moveDropped(items, folder.path);
      if (onFiles) void droppedFiles(items).then((files) => onFiles(files, folder));
    },
    ...(onFiles && { onRootDrop: ({ items }) => void droppedFiles(items).then((files) => onFiles(files)) }),
  });
  return dragAndDropHooks;
}
