import { type DropItem, isTextDropItem, type Key, useDragAndDrop } from 'react-aria-components';
import { send } from '../graphql/client.ts';
import { moveDocument, type RowFragment } from '../graphql/operations.ts';
import { text } from '../texts/text.ts';
import { droppedFiles } from '../uploads/dropped.ts';
import type { DroppedFile } from '../uploads/uploads.ts';
import { rowsOf, withEach } from './selection.ts';

/** The drag type that marks documents of this console; files from the computer do not have it. */
const dragType = 'application/x-quire-document';

type Dragged = Pick<RowFragment, 'uid' | 'title'>;

/** Moves the documents among the dropped items into a folder, and reports by title those that the server refuses. */
async function moveDropped(items: readonly DropItem[], target: string): Promise<void> {
  const documents = items.filter(isTextDropItem).filter(({ types }) => types.has(dragType));
  const rows = await Promise.all(
    documents.map(async (item) => JSON.parse(await item.getText(dragType)) as Dragged),
  );
  if (rows.length > 0)
    await withEach(rows, ({ uid }) => send(moveDocument, { id: uid, target }), text('done.moved'));
}

/**
 * Drag-and-drop hooks for a tree of folders, which moves documents into the folder that they are dropped on. The keys
 * of the tree are paths.
 *
 * @param isFolder returns whether a key belongs to a folder; other rows accept nothing.
 */
export const useFolderDrops = (isFolder: (key: Key) => boolean) =>
  useDragAndDrop({
    acceptedDragTypes: [dragType],
    getDropOperation: () => 'move',
    shouldAcceptItemDrop: ({ key }) => isFolder(key),
    onItemDrop: ({ items, target }) => void moveDropped(items, String(target.key)),
  }).dragAndDropHooks;

/**
 * Drag-and-drop hooks for a table of documents: users drag rows onto folders of the same table or of the tree.
 *
 * @param onFiles receives files that are dropped from the computer, and the folder row that they were dropped on, if
 * any; absent if the user cannot add documents here.
 */
export function useRowDrags(
  entries: readonly RowFragment[],
  onFiles?: (files: readonly DroppedFile[], into?: RowFragment) => void,
) {
  const rowOf = (key: unknown) => entries.find(({ uid }) => uid === key);
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) =>
      rowsOf(entries, new Set(keys)).map(({ uid, title }) => ({
        [dragType]: JSON.stringify({ uid, title }),
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
