import type { DirectoryDropItem, DropItem, FileDropItem } from 'react-aria-components';
import type { DroppedFile } from './uploads.ts';

type Entry = FileDropItem | DirectoryDropItem;

async function filesIn(entry: Entry, folders: readonly string[]): Promise<DroppedFile[]> {
  if (entry.kind === 'file') return [{ file: await entry.getFile(), folders }];
  const found: DroppedFile[] = [];
  for await (const each of entry.getEntries()) found.push(...(await filesIn(each, [...folders, entry.name])));
  return found;
}

/** Returns all dropped files. A file from a dropped folder includes the names of the folders that contain it. */
export async function droppedFiles(items: readonly DropItem[]): Promise<DroppedFile[]> {
  const entries = items.filter((item): item is Entry => item.kind !== 'text');
  return (await Promise.all(entries.map((entry) => filesIn(entry, [])))).flat();
}

/**
 * Returns the files that were chosen in a file dialog. A file from a chosen folder includes the names of the
 * folders that contain it.
 */
export const chosenFiles = (files: FileList): DroppedFile[] =>
  [...files].map((file) => ({
    file,
    folders: file.webkitRelativePath.split('/').slice(0, -1).filter(Boolean),
  }));
