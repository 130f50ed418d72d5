import { type DropItem, isTextDropItem, type Key, useDragAndDrop } from 'react-aria-components';
import { send } from '../graphql/client.ts';
import { moveDocument, type RowFragment } from '../graphql/operations.ts';
import { text } from '../texts/text.ts';
import { droppedFiles } from '../uploads/dropped.ts';
import type { DroppedFile } from '../uploads/uploads.ts';
import { rowsOf, withEach } from './selection.ts';

/** The kind of what is dragged: documents of this console. */
const kind = 'application/x-quire-document';

type Dragged = Pick<RowFragment, 'uid' | 'title'>;

/** Moves the documents among what was dropped into a folder, and names those that are refused. */
async function moveDropped(items: readonly DropItem[], target: string): Promise<void> {
  const documents = items.filter(isTextDropItem).filter(({ types }) => types.has(kind));
  const rows = await Promise.all(
    documents.map(async (item) => JSON.parse(await item.getText(kind)) as Dragged),
  );
  if (rows.length > 0)
    await withEach(rows, ({ uid }) => send(moveDocument, { id: uid, target }), text('done.moved'));
}

/**
 * Folders of a tree, whose keys are their paths, as places for documents.
 *
 * @param isFolder whether the row of a key is one.
 */
export const useFolderDrops = (isFolder: (key: Key) => boolean) =>
  useDragAndDrop({
    acceptedDragTypes: [kind],
    getDropOperation: () => 'move',
    shouldAcceptItemDrop: ({ key }) => isFolder(key),
    onItemDrop: ({ items, target }) => void moveDropped(items, String(target.key)),
  }).dragAndDropHooks;

/**
 * Rows that are dragged onto folders of the same list or of the tree.
 *
 * @param onFiles takes files of this computer, with the folder of the list that they were dropped on;
 * absent where none may be added.
 */
export function useRowDrags(
  entries: readonly RowFragment[],
  onFiles?: (files: readonly DroppedFile[], into?: RowFragment) => void,
) {
  const rowOf = (key: unknown) => entries.find(({ uid }) => uid === key);
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) =>
      rowsOf(entries, new Set(keys)).map(({ uid, title }) => ({
        [kind]: JSON.stringify({ uid, title }),
        'text/plain': title,
      })),
    acceptedDragTypes: onFiles ? 'all' : [kind],
    getDropOperation: (target, types) =>
      types.has(kind) ? (target.type === 'item' ? 'move' : 'cancel') : 'copy',
    shouldAcceptItemDrop: ({ key }, types) =>
      (types.has(kind) || onFiles !== undefined) && (rowOf(key)?.facets.includes('Folderish') ?? false),
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
