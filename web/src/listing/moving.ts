import { useRef } from 'react';
import {
  type DropItem,
  isTextDropItem,
  type Key,
  useDrag,
  useDragAndDrop,
  useDrop,
} from 'react-aria-components';
import { send } from '../graphql/client.ts';
import { moveDocument, type RowFragment } from '../graphql/operations.ts';
import { text } from '../texts/text.ts';
import { droppedFiles } from '../uploads/dropped.ts';
import { uploadFiles } from '../uploads/uploads.ts';
import { rowsOf, withEach } from './selection.ts';
import { parentPath } from './target.ts';

/** The drag type of documents in this console. Files that are dragged from the computer do not have it. */
const dragType = 'application/x-quire-document';

type Dragged = Pick<RowFragment, 'uid' | 'title' | 'path'>;

const itemOf = ({ uid, title, path }: Dragged) => ({
  [dragType]: JSON.stringify({ uid, title, path }),
  'text/plain': title,
});

/** Documents are moved, and everything else, which is files, is copied to the server. */
const operationOf = (types: { has(type: string): boolean }) => (types.has(dragType) ? 'move' : 'copy');

/**
 * Moves the dropped documents into a folder. A notification lists the documents that could not be moved. Documents that
 * are in the folder, and the folder itself, stay where they are.
 */
async function moveDropped(items: readonly DropItem[], target: string): Promise<void> {
  const documents = items.filter(isTextDropItem).filter(({ types }) => types.has(dragType));
  const dragged = await Promise.all(
    documents.map(async (item) => JSON.parse(await item.getText(dragType)) as Dragged),
  );
  const rows = dragged.filter(({ path }) => path !== target && parentPath(path) !== target);
  if (rows.length > 0)
    await withEach(
      rows,
      ({ uid }) => send(moveDocument, { id: uid, target }),
      text('done.moved'),
      ({ uid, path }) => send(moveDocument, { id: uid, target: parentPath(path) }),
    );
}

type Folder = Pick<RowFragment, 'uid' | 'path'>;

/** Moves dropped documents into a folder, and uploads dropped files to it. The server checks the permissions. */
async function dropInto(folder: Folder, items: readonly DropItem[]): Promise<void> {
  await moveDropped(items, folder.path);
  const files = await droppedFiles(items);
  if (files.length > 0) await uploadFiles(folder, files);
}

/**
 * Drag-and-drop hooks for the folder tree: documents that are dropped on a folder are moved into it, and files are
 * uploaded. Folders can be dragged, too. The keys of the tree are paths.
 * @param isFolder returns whether a key belongs to a folder. Other rows do not accept drops.
 */
export const useFolderDrops = (isFolder: (key: Key) => boolean) =>
  useDragAndDrop<Dragged>({
    getItems: (_, folders) => folders.filter(({ path }) => path !== '/').map(itemOf),
    getAllowedDropOperations: () => ['move'],
    acceptedDragTypes: 'all',
    getDropOperation: (target, types) => (target.type === 'item' ? operationOf(types) : 'cancel'),
    shouldAcceptItemDrop: ({ key }) => isFolder(key),
    onItemDrop: ({ items, target }) => {
      const path = String(target.key);
      void dropInto({ uid: path, path }, items);
    },
  }).dragAndDropHooks;

/**
 * Drag-and-drop hooks for a table of documents. Users can drag rows to any folder that they see, and files from the
 * computer to the rows of folders.
 * @param root the folder to which files are uploaded that are dropped beside the rows; absent if the list is not a
 * folder or the user cannot add documents to it
 */
export function useRowDrags(entries: readonly RowFragment[], root?: Folder) {
  const rowOf = (key: unknown) => entries.find(({ uid }) => uid === key);
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => rowsOf(entries, new Set(keys)).map(itemOf),
    acceptedDragTypes: 'all',
    getDropOperation: (target, types) =>
      target.type === 'item' || (root && !types.has(dragType)) ? operationOf(types) : 'cancel',
    shouldAcceptItemDrop: ({ key }) => rowOf(key)?.facets.includes('Folderish') ?? false,
    onItemDrop: ({ items, target }) => {
      const folder = rowOf(target.key);
      if (folder) void dropInto(folder, items);
    },
    ...(root && { onRootDrop: ({ items }) => void dropInto(root, items) }),
  });
  return dragAndDropHooks;
}

/**
 * Lets users drag a document that is not a row of a list, and drop documents and files on it if it is a folder. With the
 * keyboard, users cut and paste it.
 * @returns the properties of the element, and whether something is dragged over it
 */
export function useDraggedDocument(document: Dragged, isFolder: boolean) {
  const ref = useRef<HTMLLIElement>(null);
  const { dragProps } = useDrag({
    getItems: () => [itemOf(document)],
    getAllowedDropOperations: () => ['move'],
    hasDragButton: true, // Otherwise, Enter would begin a drag instead of opening the document.
    isDisabled: document.path === '/',
  });
  const { dropProps, isDropTarget } = useDrop({
    ref,
    getDropOperation: operationOf,
    onDrop: ({ items }) => void dropInto(document, items),
    isDisabled: !isFolder,
  });
  return { ref, ...dragProps, ...dropProps, 'data-drop-target': isDropTarget || undefined };
}
